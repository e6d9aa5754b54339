package io.sheaf.batch;

import static io.sheaf.batch.BatchScheduler.NEVER;

/**
 * Estimates by running a fork forward: every job uses its full walltime and nothing arrives.
 *
 * <p>A job that is last in the queue order has no influence on any other before it starts: its turn in each pass comes after
 * theirs. So where the order is that of arrival, one run answers for any number of requests; after each pass it is asked
 * which of them would start there.
 */
final class Forecast {
    private final BatchEngine scratch;
    private final InstantHeap ends = new InstantHeap();
    private final Submission request = new Submission();
    private int[] started = new int[16];

    Forecast(BatchEngine scratch) {
        this.scratch = scratch;
    }

    /** When a job submitted now would start; NEVER if it would not. */
    long start(BatchEngine origin, long at, Submission job) {
        begin(origin);
        int handle = scratch.submit(at, job);
        if (handle < 0) {
            return NEVER;
        }
        for (long t = at; t != NEVER; t = next()) {
            step(t);
            if (scratch.isRunning(handle)) {
                return t;
            }
        }
        return NEVER;
    }

    /** The same for many requests, each by itself. */
    void starts(BatchEngine origin, long at, int[] units, long[] walltime, int count, long[] out) {
        if (!origin.policy().order().isArrival()) {
            for (int i = 0; i < count; i++) {
                request.size(units[i], walltime[i]).user(origin.plan().users.unknown());
                out[i] = start(origin, at, request);
            }
            return;
        }
        int most = Math.min(origin.capacity(), origin.policy().limits().units());
        int open = 0;
        for (int i = 0; i < count; i++) {
            out[i] = NEVER;
            open += units[i] <= most ? 1 : 0;
        }
        begin(origin);
        for (long t = at; open > 0 && t != NEVER; t = next()) {
            step(t);
            for (int i = 0; i < count; i++) {
                if (out[i] == NEVER && units[i] <= most && scratch.plan().wouldStart(t, units[i], walltime[i])) {
                    out[i] = t;
                    open--;
                }
            }
        }
    }

    /** When jobs that are queued start, and one that is submitted now, unless it has no units; NEVER for handles below 0. */
    void expect(BatchEngine origin, long at, int[] jobs, int count, int units, long walltime, long[] out) {
        begin(origin);
        int another = -1;
        if (units > 0) {
            another = scratch.submit(
                    at, request.size(units, walltime).user(origin.plan().users.unknown()));
        }
        int open = 0;
        for (int i = 0; i <= count; i++) {
            out[i] = NEVER;
            open += (i < count ? jobs[i] : another) >= 0 ? 1 : 0;
        }
        for (long t = at; open > 0 && t != NEVER; t = next()) {
            step(t);
            for (int i = 0; i <= count; i++) {
                int job = i < count ? jobs[i] : another;
                if (out[i] == NEVER && job >= 0 && scratch.isRunning(job)) {
                    out[i] = t;
                    open--;
                }
            }
        }
    }

    private void begin(BatchEngine origin) {
        origin.forkInto(scratch);
        ends.clear();
        for (int j = 0; j < scratch.handles(); j++) {
            if (scratch.isRunning(j)) {
                add(j);
            }
        }
        if (started.length <= scratch.queued() + 1) {
            started = new int[2 * scratch.queued() + 2];
        }
    }

    private void step(long t) {
        while (ends.first() <= t) {
            scratch.complete(ends.remove(), t);
        }
        int n = scratch.pass(t, started);
        for (int i = 0; i < n; i++) {
            add(started[i]);
        }
    }

    private void add(int job) {
        ends.add(scratch.limit(job), scratch.plan().jobs.sequence[job], job);
    }

    private long next() {
        return Math.min(ends.first(), scratch.nextPass());
    }
}
