package io.sheaf.predict;

import io.sheaf.batch.Pools;
import java.util.Arrays;

/**
 * Start estimates of jobs whose pool is open: each job goes to the pool with the earliest estimated start among those that allow it
 * and whose nodes every task fits on.
 *
 * <p>Of equal starts the cheaper pool is chosen, then the first. In a cluster without pools a job has the start that the estimator returns. Reusable.
 */
public final class PoolStarts {
    private static final int[] OPEN = {};

    private final Pools pools;
    private final StartEstimator estimator;
    private final StartQuery query = new StartQuery();
    private final StartTimes times = new StartTimes();
    private long[] starts = new long[4];
    private int[] chosen = new int[4];

    public PoolStarts(Pools pools, StartEstimator estimator) {
        this.pools = pools;
        this.estimator = estimator;
    }

    /** Estimates one job. */
    public PoolStarts of(long now, int units, long walltime) {
        return of(now, OPEN, new int[] {units}, new long[] {walltime}, 1);
    }

    /** The most units, up to a number, that a job of a walltime could have at once. */
    public int mostNow(long now, int max, long walltime) {
        int free = 0;
        int tooMany = max + 1;
        int tried = max;
        while (free < tooMany - 1) {
            if (of(now, tried, walltime).start(0) <= now) {
                free = tried;
            } else {
                tooMany = tried;
            }
            tried = (free + tooMany) >>> 1;
        }
        return free;
    }

    /**
     * Estimates some jobs, each by itself; they may be bound to a pool.
     *
     * @param bound the pool of each of the first jobs; {@link Pools#ANY} if it is open
     */
    public PoolStarts of(long now, int[] bound, int[] units, long[] walltimes, int count) {
        if (starts.length < count) {
            starts = new long[Math.max(count, 2 * starts.length)];
            chosen = new int[starts.length];
        }
        query.begin(now, StartQuery.Arrangement.ALONE);
        for (int i = 0; i < count; i++) {
            for (int pool = first(bound, i); pool <= last(bound, i); pool++) {
                if (isPossible(bound, i, pool, units[i], walltimes[i])) {
                    query.add(pool, units[i], walltimes[i]);
                }
            }
        }
        if (query.jobs() > 0) {
            estimator.estimate(query, times);
        }
        Arrays.fill(starts, 0, count, StartTimes.NEVER);
        Arrays.fill(chosen, 0, count, Pools.ANY);
        int next = 0;
        for (int i = 0; i < count; i++) {
            for (int pool = first(bound, i); pool <= last(bound, i); pool++) {
                if (isPossible(bound, i, pool, units[i], walltimes[i])) {
                    offer(i, pool, times.job(next++));
                }
            }
        }
        return this;
    }

    private boolean isPossible(int[] bound, int i, int pool, int units, long walltime) {
        return pool == Pools.ANY
                || (pools.allows(pool, units, walltime) && !(isOpen(bound, i) && pools.isLesser(pool)));
    }

    private static boolean isOpen(int[] bound, int i) {
        return i >= bound.length || bound[i] == Pools.ANY;
    }

    private int first(int[] bound, int i) {
        return isOpen(bound, i) ? Math.min(1, pools.count()) : bound[i];
    }

    private int last(int[] bound, int i) {
        return isOpen(bound, i) ? pools.count() : bound[i];
    }

    private void offer(int i, int pool, long start) {
        boolean first = chosen[i] == Pools.ANY;
        boolean cheaper =
                !first && pools.pool(pool).price() < pools.pool(chosen[i]).price();
        if (first || start < starts[i] || (start == starts[i] && cheaper)) {
            starts[i] = start;
            chosen[i] = pool;
        }
    }

    /** The earliest start of the i-th job; {@link StartTimes#NEVER} if no pool allows it. */
    public long start(int i) {
        return starts[i];
    }

    /** The pool of the i-th job; {@link Pools#ANY} if no pool allows it, or there are none. */
    public int pool(int i) {
        return chosen[i];
    }
}
