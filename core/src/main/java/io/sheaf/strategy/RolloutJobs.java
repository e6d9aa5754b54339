package io.sheaf.strategy;

import io.sheaf.batch.Pool;
import io.sheaf.batch.Pools;
import io.sheaf.manager.View;
import io.sheaf.workflow.Resources;
import java.util.Arrays;

/**
 * The jobs of a {@link Rollout} with their free cores and other resources: those of the plan, then fallback jobs. Columns of arrays, reused for each
 * plan. Times are in milliseconds.
 */
final class RolloutJobs {
    /** The cores of a node by pool, in {@linkplain CoreParts parts} of cores if tasks share them. What a node has is equal for all pools unless nodes differ. */
    private final int[] nodeCores;

    /** What a node has, by pool and {@linkplain OtherResources other resource}. */
    private final long[][] otherAmounts;

    /** What a task of a kind blocks of a node, by pool, other resource and kind. */
    private final long[][][] blocked;

    /** Whether what a kind needs beside cores fits, by pool and kind; empty for pools on whose nodes every task fits. */
    private final boolean[][] fits;

    /** The price of a node by pool; that of the cheapest for jobs without a pool. */
    private final double[] prices;

    int count;
    long[] token = new long[8];
    long[] start = new long[8];
    long[] limit = new long[8];
    int[] nodes = new int[8];
    int[] pool = new int[8];
    boolean[] cancelled = new boolean[8];
    /** Whether a job starts tasks: neither cancelled nor draining. */
    boolean[] takes = new boolean[8];

    /** When the last task of a job ends. */
    long[] lastEnd = new long[8];

    long[] free = new long[8];
    /** For each other resource the free amount of each job. */
    private final long[][] freeOthers;

    RolloutJobs(PlannedTasks tasks, View view) {
        Pools pools = view.pools();
        prices = prices(pools);
        freeOthers = new long[tasks.otherCapacity.length][free.length];
        nodeCores = new int[prices.length];
        otherAmounts = new long[prices.length][];
        blocked = new long[prices.length][][];
        fits = new boolean[prices.length][0];
        for (int number = 0; number < prices.length; number++) {
            boolean defaultNode = number == Pools.ANY || pools.pool(number).node() == null;
            Resources node = defaultNode ? view.node() : view.node(number);
            nodeCores[number] = tasks.coreParts.of(node.cores());
            otherAmounts[number] = defaultNode ? tasks.otherCapacity : tasks.counted.amounts(node);
            blocked[number] =
                    defaultNode ? tasks.otherBlocked : TaskKinds.blocked(tasks.otherNeeds, otherAmounts[number]);
            fits[number] = defaultNode ? fits[number] : fitting(tasks, otherAmounts[number]);
        }
    }

    private static boolean[] fitting(PlannedTasks tasks, long[] amounts) {
        boolean[] fits = new boolean[tasks.kindCores.length];
        for (int kind = 0; kind < fits.length; kind++) {
            fits[kind] = true;
            for (int r = 0; r < amounts.length; r++) {
                fits[kind] &= tasks.otherNeeds[r][kind] <= amounts[r];
            }
        }
        return fits;
    }

    private static double[] prices(Pools pools) {
        double[] prices = new double[pools.count() + 1];
        prices[Pools.ANY] = pools.all().stream().mapToDouble(Pool::price).min().orElse(1);
        for (int number = 1; number <= pools.count(); number++) {
            prices[number] = pools.pool(number).price();
        }
        return prices;
    }

    /** Replaces all jobs by those of a plan. */
    void begin(Plan plan, long now) {
        count = 0;
        for (int i = 0; i < plan.size(); i++) {
            Plan.Job job = plan.job(i);
            add(job.token(), job.start(), job.limit(), job.nodes());
            cancelled[i] = job.cancelled();
            pool[i] = Math.min(job.pool(), prices.length - 1);
            takes[i] = !job.cancelled() && !job.draining();
            lastEnd[i] = Math.max(now, start[i]);
        }
    }

    int add(long itsToken, long itsStart, long itsLimit, int units) {
        if (count == token.length) {
            grow();
        }
        token[count] = itsToken;
        start[count] = itsStart;
        limit[count] = itsLimit;
        nodes[count] = units;
        cancelled[count] = false;
        pool[count] = Pools.ANY;
        takes[count] = true;
        free[count] = 0;
        for (long[] each : freeOthers) {
            each[count] = 0;
        }
        lastEnd[count] = itsStart;
        return count++;
    }

    private void grow() {
        int size = 2 * count;
        token = Arrays.copyOf(token, size);
        start = Arrays.copyOf(start, size);
        limit = Arrays.copyOf(limit, size);
        nodes = Arrays.copyOf(nodes, size);
        pool = Arrays.copyOf(pool, size);
        cancelled = Arrays.copyOf(cancelled, size);
        takes = Arrays.copyOf(takes, size);
        lastEnd = Arrays.copyOf(lastEnd, size);
        free = Arrays.copyOf(free, size);
        for (int r = 0; r < freeOthers.length; r++) {
            freeOthers[r] = Arrays.copyOf(freeOthers[r], size);
        }
    }

    /** The cores of a node of any pool. */
    int coresOfAnyNode() {
        return nodeCores[Pools.ANY];
    }

    /** The cores on all nodes of a job. */
    long cores(int i) {
        return (long) nodes[i] * coresOnEach(i);
    }

    /** A job starts: all that its nodes have is free. */
    void open(int i) {
        free[i] = cores(i);
        for (int r = 0; r < freeOthers.length; r++) {
            freeOthers[r][i] = nodes[i] * otherAmounts[pool[i]][r];
        }
    }

    /** Allocates cores, and other resources on some nodes, to a task of a kind or, with sign −1, frees them. */
    void allocate(int i, long cores, int width, int kind, int sign) {
        free[i] -= sign * cores;
        for (int r = 0; r < freeOthers.length; r++) {
            freeOthers[r][i] -= (long) sign * width * blocked[pool[i]][r][kind];
        }
    }

    /** The cores of a node of a job. */
    int coresOnEach(int i) {
        return nodeCores[pool[i]];
    }

    /** Whether the nodes of a job are large enough for a task of a kind, and what it needs beside cores is free. */
    boolean hasOthers(int i, int width, int kind, long onEach) {
        boolean[] large = fits[pool[i]];
        if (large.length > 0 && !(large[kind] && onEach <= nodeCores[pool[i]])) {
            return false;
        }
        for (int r = 0; r < freeOthers.length; r++) {
            if (freeOthers[r][i] < width * blocked[pool[i]][r][kind]) {
                return false;
            }
        }
        return true;
    }

    /** The job with this token that is not cancelled; −1 if there is none. */
    int find(long jobToken) {
        for (int i = 0; i < count; i++) {
            if (token[i] == jobToken) {
                return cancelled[i] ? -1 : i;
            }
        }
        return -1;
    }

    /** The longest remaining walltime of the jobs with a free core for new tasks; −1 if there is none. */
    long mostRoom(long t) {
        long max = -1;
        for (int i = 0; i < count; i++) {
            if (free[i] > 0 && takes[i]) {
                max = Math.max(max, limit[i] - t);
            }
        }
        return max;
    }

    /** Node-milliseconds that are allocated from now on, times the prices of their pools. */
    long allocated(long now) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            long used = cancelled[i] ? 0 : nodes[i] * Math.max(0, lastEnd[i] - Math.max(now, start[i]));
            sum += prices[pool[i]] == 1 ? used : Math.round(used * prices[pool[i]]);
        }
        return sum;
    }
}
