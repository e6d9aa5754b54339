package io.sheaf.batch;

/** A world in which nothing arrives and every job uses its full walltime. */
final class FullRequests {
    private FullRequests() {}

    /** When a queued job starts in it; NEVER if it does not. */
    static long startOf(BatchEngine engine, int job, long now) {
        int[] started = new int[500];
        long t = now;
        while (t != BatchEngine.NEVER) {
            for (int j = 0; j < engine.handles(); j++) {
                if (isRunning(engine, j) && engine.limit(j) <= t) {
                    engine.complete(j, t);
                }
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

    private static boolean isRunning(BatchEngine engine, int job) {
        return job < engine.handles() && engine.isRunning(job);
    }
}
