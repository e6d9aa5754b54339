package io.sheaf.runtime.batch;

import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.cluster.QueueView;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulationSetup;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What-if estimates from the present queue of a batch system: the answers of all its estimators, with what they rest on. Instants are in milliseconds. */
public interface WhatIf {
    /** In place of a start: it is not known. */
    long UNKNOWN = StartTimes.UNKNOWN;

    /** In place of a start: never, as things are. */
    long NEVER = StartTimes.NEVER;

    /**
     * When would a job start?
     *
     * @param walltime in milliseconds
     * @param probe how long to wait for the batch system's plan for a job that is submitted and cancelled, in milliseconds; 0 for no such job
     */
    Answers ask(long now, int nodes, long walltime, long probe) throws IOException, InterruptedException;

    /** The queue as it is now, to be simulated forward without further arrivals. */
    Outlook outlook(long now) throws IOException, InterruptedException;

    /** The queue of the partition as it is now, to be shown. */
    QueueView view(long now) throws IOException, InterruptedException;

    /**
     * What one estimator says.
     *
     * @param start an instant, {@link #UNKNOWN} or {@link #NEVER}
     * @param why why it is not known
     * @param recentLoss how wrong it was about our last jobs, 0 to 1; not a number if it was never asked
     * @param samples about how many
     */
    record Answer(String estimator, long start, String why, double recentLoss, int samples) {}

    /** What the batch system plans for a waiting job of ours. */
    record PlannedJob(long job, int nodes, long limit, long start) {}

    /**
     * The cluster as it was seen.
     *
     * @param nodes that take jobs
     * @param taken of them at present
     * @param out nodes that take no jobs
     * @param hidden of those taken, by jobs that cannot be seen
     * @param queued requests that stand before ours
     * @param unmodelledShare of the queued node-time; not a number if that cannot be told
     */
    record Seen(String partition, int nodes, int taken, int out, int hidden, int queued, double unmodelledShare) {}

    /**
     * When a job may start, as instants: half of the time within the inner interval, nine times in ten within the outer one.
     *
     * @param basis what it rests on, in words
     */
    record Interval(long low90, long low50, long median, long high50, long high90, String basis) {}

    /**
     * Everything.
     *
     * @param used the estimator that runs use at present
     * @param interval when it may start if jobs end as they tend to; null if too little is known of that
     * @param problems what could not be read
     */
    record Answers(
            long at,
            Seen seen,
            List<Answer> answers,
            String used,
            @Nullable Interval interval,
            List<PlannedJob> planned,
            List<String> problems) {}

    /**
     * The queue of a cluster.
     *
     * @param problems what could not be read
     */
    record Outlook(SimulatedQueue queue, SimulationSetup.Dependencies dependencies, List<String> problems) {}
}
