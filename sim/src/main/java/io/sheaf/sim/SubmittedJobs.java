package io.sheaf.sim;

import static io.sheaf.batch.BatchEngine.NEVER;

import io.sheaf.batch.InstantHeap;
import io.sheaf.batch.Submission;
import java.util.HashMap;
import java.util.Map;

/** Jobs of one shape that are submitted to a simulated queue at regular intervals, to measure their waits. */
public final class SubmittedJobs implements SimulatedQueue.JobListener {
    /**
     * Requested walltime and actual run time.
     *
     * @param walltime in milliseconds
     * @param run the run time of each, in milliseconds; at most the walltime
     */
    public record JobShape(int nodes, long walltime, long run) {}

    /** Receives the events of the jobs, numbered from 0 in order of submission. */
    public interface Watcher {
        /** A job is about to be submitted. */
        void submitted(int job);

        /** It has started after this wait, in milliseconds. */
        void started(int job, long waited);
    }

    private final SimulatedQueue queue;
    private final JobShape shape;
    private final Watcher watcher;
    private final InstantHeap ends = new InstantHeap();
    private final Map<Integer, Integer> byHandle = new HashMap<>();
    private final long[] submittedAt;
    private int startedJobs;

    private SubmittedJobs(SimulatedQueue queue, int count, JobShape shape, Watcher watcher) {
        this.queue = queue;
        this.shape = shape;
        this.watcher = watcher;
        submittedAt = new long[count];
    }

    /** Submits jobs from a start that the queue has not reached yet, and simulates until all have started. */
    public static void run(SimulatedQueue queue, long start, int count, long apart, JobShape shape, Watcher watcher) {
        new SubmittedJobs(queue, count, shape, watcher).simulate(start, apart);
    }

    private void simulate(long start, long apart) {
        int submitted = 0;
        while (startedJobs < submittedAt.length) {
            long due = submitted < submittedAt.length ? start + submitted * apart : NEVER;
            long at = Math.min(Math.min(queue.next(), ends.first()), due);
            if (at == NEVER) {
                throw new IllegalStateException(shape + " never starts");
            }
            queue.ends(at, this);
            while (ends.first() == at) {
                int handle = ends.remove();
                byHandle.remove(handle);
                queue.complete(handle);
            }
            queue.kills(this);
            queue.arrivals(this);
            while (due == at) {
                watcher.submitted(submitted);
                int handle = queue.submit(Submission.of(shape.nodes, shape.walltime));
                if (handle < 0) {
                    throw new IllegalStateException(shape + " is not taken");
                }
                byHandle.put(handle, submitted);
                submittedAt[submitted++] = at;
                due = submitted < submittedAt.length ? start + submitted * apart : NEVER;
            }
            queue.pass(this);
        }
    }

    @Override
    public void started(int handle) {
        int job = byHandle.getOrDefault(handle, -1);
        if (job >= 0) {
            startedJobs++;
            ends.add(queue.now() + shape.run, job, handle);
            watcher.started(job, queue.now() - submittedAt[job]);
        }
    }

    @Override
    public void expired(int handle) {
        byHandle.remove(handle);
    }
}
