package io.sheaf.sim;

import io.sheaf.batch.BatchEngine;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * A queue at an instant with its observed past and without its future.
 *
 * @param engine the scheduler with all queued and running jobs
 * @param own handles of our jobs in it, by their tokens
 * @param past background jobs, in order of submission
 * @param known how many of these have arrived; later ones are ignored
 * @param jobOf by handle: the index of the past job; negative if there is none
 */
public record KnownQueue(
        BatchEngine engine, long now, Map<Long, Integer> own, JobLog past, int known, IntUnaryOperator jobOf) {
    public KnownQueue {
        own = Map.copyOf(own);
    }

    /** A copy with its own scheduler, which stays unchanged while the original continues. */
    public KnownQueue fork() {
        int[] jobs = new int[engine.handles()];
        for (int handle = 0; handle < jobs.length; handle++) {
            jobs[handle] = jobOf.applyAsInt(handle);
        }
        return new KnownQueue(engine.fork(), now, own, past, known, handle -> handle < jobs.length ? jobs[handle] : -1);
    }
}
