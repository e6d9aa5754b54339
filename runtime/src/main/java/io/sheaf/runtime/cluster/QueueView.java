package io.sheaf.runtime.cluster;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.JobShapes;
import io.sheaf.batch.QueueSnapshot;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * A queue at an instant, for display: running jobs, queued jobs with expected starts, and the start of one more
 * job. All jobs are assumed to use their requested walltimes.
 *
 * @param jobs ordered by start
 * @param estimator for one more job; it may know more than the queue
 */
public record QueueView(long at, int nodes, List<ViewJob> jobs, StartEstimator estimator) {
    /**
     * A job that runs or waits.
     *
     * @param start its actual or expected start
     * @param end when its walltime ends
     */
    public record ViewJob(long token, int nodes, long start, long end, boolean running) {}

    /**
     * A view of an engine's jobs; the view owns the engine from now on.
     *
     * @param tokens of the engine's jobs, by handle; {@link QueueSnapshot#OTHERS} for background jobs
     * @param estimator for one more job; it may know more than the engine
     */
    public static QueueView of(BatchEngine engine, long at, IntToLongFunction tokens, StartEstimator estimator) {
        int[] queued = new int[engine.queued()];
        Arrays.setAll(queued, engine::queued);
        long[] starts = new long[queued.length];
        engine.expect(at, -1, queued, queued.length, new JobShapes(), starts);
        List<ViewJob> found = new ArrayList<>();
        int next = 0;
        for (QueueSnapshot.Job job : QueueSnapshot.of(engine, at, tokens).jobs()) {
            long start = job.isRunning() ? job.start() : starts[next++];
            if (start != BatchEngine.NEVER) {
                start = job.isRunning() ? start : Math.max(at, start);
                found.add(new ViewJob(job.token(), job.units(), start, start + job.walltime(), job.isRunning()));
            }
        }
        found.sort(Comparator.comparingLong(ViewJob::start)
                .thenComparingLong(ViewJob::end)
                .thenComparingLong(ViewJob::token));
        return new QueueView(at, engine.size(), List.copyOf(found), estimator);
    }

    /** The queue in an embedded cluster's log at an instant; does not disturb the manager. */
    public static QueueView read(ClusterShape shape, Path log, long at) throws IOException {
        ClusterMachine machine = ClusterLog.machine(shape, log, at);
        return machine.view(Math.max(at, machine.now()));
    }

    /** When a job submitted now would start; {@link BatchEngine#NEVER} if never. */
    public synchronized long start(int units, long walltime) {
        return estimator.estimate(StartQuery.of(at, 0, units, walltime)).job(0);
    }
}
