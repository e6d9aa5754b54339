package io.sheaf.sim;

import static io.sheaf.batch.BatchEngine.NEVER;

import io.sheaf.batch.Pools;
import io.sheaf.batch.Submission;

/**
 * The future of the background jobs of a simulated queue: which job of the log arrives next, what it requests, and how long it runs. It can be
 * {@linkplain #hide hidden}: then no job arrives, and each uses its full walltime.
 */
final class BackgroundFuture {
    private final JobLog log;
    /** The number of arrived jobs, which is also the number of the next one. */
    int arrived;

    private boolean hidden;
    /** The number of arrived jobs when the future was hidden. */
    private int knownBefore;

    /** The future after some arrivals of the log. */
    BackgroundFuture(JobLog log, int arrived) {
        this.log = log;
        this.arrived = arrived;
    }

    /** The number of jobs that arrived before the present, and not in a hidden future. */
    int known() {
        return hidden ? knownBefore : arrived;
    }

    /** The instant of the next arrival; {@link io.sheaf.batch.BatchEngine#NEVER} if there is none. */
    long next() {
        return arrived < log.size() ? log.submit(arrived) : NEVER;
    }

    /** Whether the next job arrives at an instant. */
    boolean arrives(long at) {
        return arrived < log.size() && log.submit(arrived) == at;
    }

    /** Returns the number of the next job, which arrives now. */
    int take() {
        return arrived++;
    }

    void hide() {
        hidden = true;
        knownBefore = arrived;
        arrived = log.size();
    }

    /** Whether a job reaches its walltime. */
    boolean isKilled(int job) {
        return !hidden && log.run(job) > log.requested(job);
    }

    /** How long a job runs, in milliseconds; at most its walltime. */
    long run(int job) {
        return hidden ? log.requested(job) : Math.min(log.run(job), log.requested(job));
    }

    /** The request of a job, without its user. In a cluster with pools it goes to one that allows it, and has at most its nodes. */
    Submission request(int job, Pools pools, Submission made) {
        made.size(log.nodes(job), log.requested(job)).memory(log.memory(job)).exempt();
        if (pools.count() > 0) {
            long draw = log.submit(job) * 1_000_003 + log.nodes(job) * 31L + log.requested(job);
            int pool = pools.drawn(draw, log.nodes(job), log.requested(job));
            made.pool(pool).atMost(pools.pool(pool).size());
        }
        return made;
    }

    void copyInto(BackgroundFuture scratch) {
        scratch.arrived = arrived;
        scratch.hidden = hidden;
        scratch.knownBefore = knownBefore;
    }
}
