package io.sheaf.sim;

import io.sheaf.batch.BatchEngine;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * A queue at an instant, with what is known by one who has watched it and cannot see the future.
 *
 * @param engine the scheduler with all that is queued and runs
 * @param own handles of our jobs in it, by their tokens
 * @param past jobs of others, in order of submission
 * @param known how many of these have come so far; later ones are not looked at
 * @param jobOf by handle: which of the past jobs that is; negative if none
 */
public record KnownQueue(
        BatchEngine engine, long now, Map<Long, Integer> own, JobLog past, int known, IntUnaryOperator jobOf) {
    public KnownQueue {
        own = Map.copyOf(own);
    }

    /** The same with a scheduler of its own, to be looked at while the original goes on. */
    public KnownQueue fork() {
        int[] jobs = new int[engine.handles()];
        for (int handle = 0; handle < jobs.length; handle++) {
            jobs[handle] = jobOf.applyAsInt(handle);
        }
        return new KnownQueue(engine.fork(), now, own, past, known, handle -> handle < jobs.length ? jobs[handle] : -1);
    }
}
