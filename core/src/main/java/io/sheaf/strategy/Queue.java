package io.sheaf.strategy;

import io.sheaf.batch.Pools;
import io.sheaf.manager.View;
import io.sheaf.predict.Basis;
import io.sheaf.predict.PoolStarts;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartTimes;

/** Estimates queue waits of jobs at the instant of a decision, each in the pool where it starts first. */
final class Queue {
    private static final int[] OPEN = {};

    final View view;
    private final StartEstimator estimator;
    private final Profile profile;
    private final PoolStarts starts;
    private long[] walltimes = new long[4];

    Queue(View view, StartEstimator estimator, Profile profile) {
        this.view = view;
        this.estimator = estimator;
        this.profile = profile;
        starts = new PoolStarts(view.pools(), estimator);
    }

    /** The walltime used in wait estimates. */
    long estimateWalltime(long run) {
        return profile.estimateWalltime(run);
    }

    /** The longest run time of a job of some nodes within the maximum walltime, in milliseconds. */
    long longestRun(int nodes) {
        return profile.longestRun(view.walltime(nodes));
    }

    /** The longest run time of a job of some nodes in a pool. */
    long longestRunIn(int pool, int nodes) {
        return profile.longestRun(
                Math.min(view.walltime(), view.pools().pool(pool).limits().walltime(nodes)));
    }

    /** Whether the estimates have a basis. */
    boolean isKnown() {
        return estimator.basis() != Basis.NONE;
    }

    /** The queue wait of a job of some nodes and run time, in milliseconds. */
    long waitFor(int nodes, long run) {
        starts.of(view.now(), nodes, profile.estimateWalltime(run));
        return queueWait(0);
    }

    private long queueWait(int i) {
        long start = starts.start(i);
        return start == StartTimes.NEVER ? Long.MAX_VALUE / 4 : Math.max(0, start - view.now());
    }

    /** The pool in which the i-th job of the last query starts first; {@link Pools#ANY} if there are none or none allows it. */
    int pool(int i) {
        return starts.pool(i);
    }

    /** The queue waits of several jobs. Does not call the estimator for zero jobs, which would reset the basis of its last answer. */
    void waits(int[] nodes, long[] run, int count, long[] out) {
        waits(OPEN, nodes, run, count, out);
    }

    /** The same for jobs of which the first may be bound to a pool, as in {@link PoolStarts}. */
    void waits(int[] bound, int[] nodes, long[] run, int count, long[] out) {
        if (count == 0) {
            return;
        }
        if (walltimes.length < count) {
            walltimes = new long[Math.max(count, 2 * walltimes.length)];
        }
        for (int i = 0; i < count; i++) {
            walltimes[i] = profile.estimateWalltime(run[i]);
        }
        starts.of(view.now(), bound, nodes, walltimes, count);
        for (int i = 0; i < count; i++) {
            out[i] = queueWait(i);
        }
    }
}
