package io.sheaf.sim.pool;

import java.util.List;

/**
 * The result of workflows that shared elements; times in milliseconds.
 *
 * @param arrivals the workflows and independent jobs that arrived
 * @param started when the first job of each workflow started
 * @param ended when its last job ended
 * @param busy total busy time of elements, in whole elements
 */
@SuppressWarnings("ArrayRecordComponent") // Results are not compared.
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

    /** Jain's index of slowdowns relative to a run alone: 1 if all are equal, 1 / n if one workflow has all of the slowdown. */
    public static double fairness(double[] slowdowns) {
        double sum = 0;
        double squares = 0;
        for (double each : slowdowns) {
            sum += each;
            squares += each * each;
        }
        return squares == 0 ? 1 : sum * sum / slowdowns.length / squares;
    }
}
