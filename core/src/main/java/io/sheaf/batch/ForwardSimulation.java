package io.sheaf.batch;

/** A fork of an engine that is run forward, pass by pass: every job uses its full walltime and no job arrives. Reusable. */
final class ForwardSimulation {
    final BatchEngine engine;
    private final InstantHeap ends = new InstantHeap();
    private int[] started = new int[16];
    private int startedCount;

    /** On an engine that is used for nothing else. */
    ForwardSimulation(BatchEngine engine) {
        this.engine = engine;
    }

    /** Begins anew where another engine is. */
    void begin(BatchEngine origin) {
        origin.forkInto(engine);
        ends.clear();
        for (int job = 0; job < engine.handles(); job++) {
            if (engine.isRunning(job)) {
                add(job);
            }
        }
    }

    /** Ends the jobs whose time is over by an instant, and makes a pass. */
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

    /** How many jobs the last pass has started. */
    int started() {
        return startedCount;
    }

    /** The i-th job that the last pass has started. */
    int started(int i) {
        return started[i];
    }

    /** When the next pass is due; {@link BatchScheduler#NEVER} if none is. */
    long next() {
        return Math.min(ends.first(), engine.nextPass());
    }

    private void add(int job) {
        ends.add(engine.limit(job), engine.plan().jobs.sequence[job], job);
    }
}
