package io.sheaf.batch;

/** A fork of an engine that is run forward, pass by pass: every job uses its full walltime and no job arrives. Reusable. */
final class ForwardSimulation {
    final BatchEngine engine;
    private final InstantHeap ends = new InstantHeap();
    /** The jobs that the last pass started. */
    int[] started = new int[16];

    int startedCount;

    /** Uses an engine exclusively. */
    ForwardSimulation(BatchEngine engine) {
        this.engine = engine;
    }

    /** Restarts from the state of another engine. */
    void begin(BatchEngine origin) {
        origin.forkInto(engine);
        ends.clear();
        for (int job = 0; job < engine.handles(); job++) {
            if (engine.isRunning(job)) {
                add(job);
            }
        }
    }

    /** Ends the jobs that reach their walltime by an instant, and makes a pass. */
    void pass(long t) {
        while (ends.first() <= t) {
            engine.complete(ends.remove(), t);
        }
        if (started.length <= engine.queued()) {
            started = new int[2 * engine.queued() + 2];
        }
        startedCount = engine.pass(t, started);
        for (int i = 0; i < startedCount; i++) {
            add(started[i]);
        }
    }

    /** The instant of the next pass; {@link BatchEngine#NEVER} if there is none. */
    long next() {
        return Math.min(ends.first(), engine.nextPass());
    }

    private void add(int job) {
        ends.add(engine.limit(job), engine.plan.jobs.sequence[job], job);
    }
}
