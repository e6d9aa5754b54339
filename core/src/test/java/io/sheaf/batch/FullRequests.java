package io.sheaf.batch;

/** Simulates a queue in which no job arrives and every job uses its full walltime. */
final class FullRequests {
    private FullRequests() {}

    /** The start of a queued job; NEVER if it does not start. */
    static long startOf(BatchEngine engine, int job, long now) {
        int[] started = new int[500];
        long t = now;
        while (t != BatchEngine.NEVER) {
            for (int j = firstEnded(engine, t); j >= 0; j = firstEnded(engine, t)) {
                engine.complete(j, t);
            }
            engine.pass(t, started);
            if (engine.isRunning(job)) {
                return t;
            }
            t = engine.nextPass();
            for (int j = 0; j < engine.handles(); j++) {
                t = isRunning(engine, j) ? Math.min(t, engine.limit(j)) : t;
            }
        }
        return BatchEngine.NEVER;
    }

    /** The first submitted job whose walltime has ended; −1 if there is none. */
    private static int firstEnded(BatchEngine engine, long t) {
        long[] sequence = engine.plan.jobs.sequence;
        int first = -1;
        for (int j = 0; j < engine.handles(); j++) {
            boolean ended = engine.isRunning(j) && engine.limit(j) <= t;
            first = ended && (first < 0 || sequence[j] < sequence[first]) ? j : first;
        }
        return first;
    }

    private static boolean isRunning(BatchEngine engine, int job) {
        return job < engine.handles() && engine.isRunning(job);
    }
}
