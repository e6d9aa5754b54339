package io.sheaf.sim;

import io.sheaf.batch.BatchEngine;
import java.util.Arrays;

/**
 * The result of a replay: start, end and outcome of each job of the log, and summary figures.
 *
 * @param events the number of arrivals, starts, ends and cancellations
 */
@SuppressWarnings("ArrayRecordComponent") // Results are not compared.
public record ReplayResult(JobLog log, long[] start, long[] end, JobOutcome[] outcome, int[] firstNode, long events) {
    /** Start or end of a job that has none. */
    public static final long NEVER = BatchEngine.NEVER;

    /** Run times below this count as this in the bounded slowdown. */
    private static final long SLOWDOWN_BOUND = 10_000;

    public long start(int job) {
        return start[job];
    }

    public long end(int job) {
        return end[job];
    }

    public JobOutcome outcome(int job) {
        return outcome[job];
    }

    /** Whether the scheduler allocated blocks of nodes; otherwise it only counted them. */
    public boolean isPlaced() {
        return firstNode.length > 0;
    }

    /** The first node of a job's block, from 0; -1 if it never started or nodes were counted. */
    public int firstNode(int job) {
        return isPlaced() ? firstNode[job] : -1;
    }

    public int count(JobOutcome selected) {
        return (int) Arrays.stream(outcome).filter(o -> o == selected).count();
    }

    /** The figures over all jobs submitted in [from, to) that ran, for a cluster of some units. */
    public Figures figures(int units, long from, long to) {
        int size = log.size();
        long[] waits = new long[size];
        int n = 0;
        double waited = 0;
        double slowdown = 0;
        double used = 0;
        long first = NEVER;
        long last = Long.MIN_VALUE;
        for (int j = 0; j < size; j++) {
            if (start[j] == NEVER || log.submit(j) < from || log.submit(j) >= to) {
                continue;
            }
            long wait = start[j] - log.submit(j);
            long run = end[j] - start[j];
            waits[n++] = wait;
            waited += wait;
            slowdown += Math.max(1.0, (double) (wait + run) / Math.max(run, SLOWDOWN_BOUND));
            used += (double) run * log.nodes(j);
            first = Math.min(first, log.submit(j));
            last = Math.max(last, end[j]);
        }
        if (n == 0) {
            return new Figures(0, 0, 0, 0, 0, 0, 0);
        }
        Arrays.sort(waits, 0, n);
        long makespan = last - first;
        double utilization = makespan == 0 ? 0 : used / ((double) makespan * units);
        return new Figures(
                n, waited / n, quantile(waits, n, 0.5), quantile(waits, n, 0.95), slowdown / n, utilization, makespan);
    }

    /** The smallest value that at least a share q of the values does not exceed. */
    private static long quantile(long[] sorted, int n, double q) {
        return sorted[Math.max(0, (int) Math.ceil(q * n) - 1)];
    }

    /**
     * @param jobs how many ran
     * @param meanWait in milliseconds, as are the other times
     * @param meanBoundedSlowdown (wait + run) / run with run times of at least 10 s, at least 1
     * @param utilization node time used over node time there was from the first submission to the last end
     */
    public record Figures(
            int jobs,
            double meanWait,
            long medianWait,
            long p95Wait,
            double meanBoundedSlowdown,
            double utilization,
            long makespan) {}
}
