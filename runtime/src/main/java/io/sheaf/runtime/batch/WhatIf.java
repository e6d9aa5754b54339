package io.sheaf.runtime.batch;

import io.sheaf.batch.QueueSnapshot;
import io.sheaf.predict.Quantiles;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.cluster.QueueView;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What-if estimates from the present queue of a batch system: the answers of all its estimators, with their basis.
 * Instants are in milliseconds.
 */
public interface WhatIf {
    /** In place of a start: unknown. */
    long UNKNOWN = StartTimes.UNKNOWN;

    /** In place of a start: never, in the present queue. */
    long NEVER = StartTimes.NEVER;

    /** The name of the estimator that simulates the queue. */
    String ENGINE = "engine";

    /** The name of the estimator that simulates the queue with the usual ends of jobs, and corrects the result by actual waits. */
    String CORRECTED = "corrected";

    /** The name of the batch system's plan as an estimator. */
    String PLANNED = "planned";

    /**
     * Estimates when a single job would start.
     *
     * @param probe how long to wait for the batch system's plan for a job that is submitted and cancelled, in
     * milliseconds; 0 for no such job
     */
    Answers estimate(StartQuery job, long probe) throws IOException, InterruptedException;

    /** The queue as it is now, to be simulated forward without further arrivals. A dependent job is not planned before its predecessor has ended. */
    ModelledQueue outlook(long now) throws IOException, InterruptedException;

    /**
     * Predicts the starts of queued jobs of all users that were not seen before, records starts of jobs predicted earlier, and returns all of these.
     * The records are durable and shared by all processes of the user.
     */
    default Evaluation check(long now) throws IOException, InterruptedException {
        throw new InputException("estimates for other users' jobs cannot be checked on this batch system");
    }

    /**
     * Observes the user's jobs whose names begin with a prefix, and makes a {@link #check}.
     *
     * @param background receives the queue without these jobs
     */
    default WatchedQueue watch(long now, String prefix, Consumer<QueueSnapshot> background)
            throws IOException, InterruptedException {
        throw new InputException("jobs of other tools cannot be watched on this batch system");
    }

    /** The queue of the partition as it is now, for display. */
    QueueView view(long now) throws IOException, InterruptedException;

    /**
     * The estimate of one estimator.
     *
     * @param start an instant, {@link #UNKNOWN} or {@link #NEVER}
     * @param why why it is unknown
     * @param recentLoss its loss on our last jobs, 0 to 1; NaN if it was never used
     * @param samples the approximate number of these jobs
     */
    record Answer(String estimator, long start, String why, double recentLoss, int samples) {}

    /**
     * A job of any user whose start was predicted; waits are in milliseconds from the prediction on.
     *
     * @param job its number
     * @param at when it was predicted
     * @param engine the estimate of the engine
     * @param planned the batch system's plan; {@link #UNKNOWN} if it had none
     * @param interval the calibrated quantiles; null if there was too little data
     */
    record EvaluatedJob(
            String job,
            int nodes,
            long at,
            long waited,
            long engine,
            long planned,
            @Nullable Quantiles interval) {}

    /**
     * The state of an evaluation.
     *
     * @param added jobs predicted just now
     * @param open jobs that are still queued
     * @param started in the order of their starts
     */
    record Evaluation(int added, int open, List<EvaluatedJob> started, List<String> problems) {}

    /**
     * A job of another tool in the queue.
     *
     * @param limit its time limit in milliseconds
     * @param start its start; {@link #UNKNOWN} while it is queued
     */
    record WatchedJob(String id, String name, int nodes, long limit, long start) {}

    /** The jobs of another tool, and the predictions for all queued jobs. */
    record WatchedQueue(List<WatchedJob> jobs, Evaluation checks) {}

    /** The batch system's plan for one of our queued jobs. */
    record PlannedJob(long job, int nodes, long limit, long start) {}

    /**
     * The observed state of the cluster.
     *
     * @param nodes that accept jobs
     * @param allocated allocated ones of these nodes
     * @param out nodes that accept no jobs
     * @param hidden allocated nodes whose jobs are not visible
     * @param queued requests before ours
     * @param unmodelledShare of the queued node-time; NaN if unknown
     */
    record ClusterState(
            String partition, int nodes, int allocated, int out, int hidden, int queued, double unmodelledShare) {}

    /**
     * The priority of the job as the batch system would compute it.
     *
     * @param fairShare the user's fair-share factor, from 0 to 1
     * @param fairShareAfter the same after the job has used its nodes for its walltime; NaN if unknown
     * @param waitEquivalent the waiting time of a later job that makes up for the difference, in milliseconds; {@link #NEVER} if none does
     * @param behind the number of queued jobs of a lower priority
     * @param checked the number of own jobs whose predicted priority was compared with the actual one
     * @param error the median difference of these
     */
    record Priority(
            long value,
            double fairShare,
            double fairShareAfter,
            long waitEquivalent,
            int behind,
            int checked,
            long error) {}

    /**
     * All estimates.
     *
     * @param used the estimator that runs use at present
     * @param waits the quantiles of the wait if jobs end as they usually do; null if there is too little data
     * @param basis what these are based on, as text
     * @param priority null if it is unknown, or the batch system computes none
     * @param problems what could not be read
     */
    record Answers(
            long at,
            ClusterState cluster,
            List<Answer> answers,
            String used,
            @Nullable Quantiles waits,
            String basis,
            @Nullable Priority priority,
            List<PlannedJob> planned,
            List<String> problems) {}

    /**
     * The queue of a cluster.
     *
     * @param problems what could not be read
     */
    record ModelledQueue(SimulatedQueue queue, List<String> problems) {}
}
