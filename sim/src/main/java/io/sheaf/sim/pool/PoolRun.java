package io.sheaf.sim.pool;

import java.util.List;

/**
 * What came of workflows that shared elements; times in milliseconds.
 *
 * @param started when the first job of each workflow started
 * @param ended when its last job ended
 * @param busy time that elements computed, whole elements counted
 */
public record PoolRun(List<Arrival> arrivals, long[] started, long[] ended, double busy, int elements) {
    /** From the first arrival to the last end. */
    public long span() {
        long first = Long.MAX_VALUE;
        long last = 0;
        for (int i = 0; i < ended.length; i++) {
            first = Math.min(first, arrivals.get(i).at());
            last = Math.max(last, ended[i]);
        }
        return last - first;
    }

    /** From the start of the first job to the end of the last. */
    public long makespan(int workflow) {
        return ended[workflow] - started[workflow];
    }

    /** From the submission to the end of the last job. */
    public long turnaround(int workflow) {
        return ended[workflow] - arrivals.get(workflow).at();
    }

    /** The share of the span during which elements computed. */
    public double utilization() {
        return busy / Math.max(1, span()) / elements;
    }

    /**
     * Jain's index of how much longer than alone the workflows took: 1 if all were slowed down alike, 1 / n if one bore it all.
     *
     * @param alone the turnaround of each workflow that counts when it has all elements for itself
     */
    public double fairness(long[] alone) {
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < alone.length; i++) {
            double slowdown = slowdown(i, alone);
            sum += slowdown;
            squares += slowdown * slowdown;
        }
        return sum * sum / alone.length / squares;
    }

    /** How many times as long as alone a workflow took from its submission on. */
    public double slowdown(int workflow, long[] alone) {
        return turnaround(workflow) / (double) Math.max(1, alone[workflow]);
    }
}
