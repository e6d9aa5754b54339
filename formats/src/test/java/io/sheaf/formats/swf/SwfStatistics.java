package io.sheaf.formats.swf;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Figures that summarize a log and its irregularities.
 *
 * <p>Offered utilisation is the processor time of all jobs that ran over the machine's size times the span from first to last
 * submission. The machine's size is the header's (MaxProcs, else MaxNodes); without one it is 0 and the utilisation 0. Means
 * and medians of waits are over the jobs whose wait is known, of run times over those that ran; 0 if there is none. A job is out
 * of order if the log lists a job with a later submission before it. Times are milliseconds.
 */
record SwfStatistics(
        int jobs,
        long machineSize,
        long span,
        double offeredUtilization,
        int runAboveRequest,
        int neverRan,
        int noRequestedTime,
        int noRequestedProcs,
        int noAllocatedProcs,
        int largerThanMachine,
        int outOfOrder,
        int waitKnown,
        double meanWait,
        double medianWait,
        double medianRun,
        Map<Integer, Integer> statuses) {

    static SwfStatistics of(SwfLog log) {
        long machine = log.header().machineSize().orElse(0);
        int n = log.size();
        int above = 0;
        int neverRan = 0;
        int noTime = 0;
        int noProcs = 0;
        int noAllocated = 0;
        int larger = 0;
        int outOfOrder = 0;
        double work = 0;
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        long[] waits = new long[n];
        long[] runs = new long[n];
        int waitKnown = 0;
        int ran = 0;
        Map<Integer, Integer> statuses = new TreeMap<>();
        for (int i = 0; i < n; i++) {
            long run = log.run(i);
            long requested = log.requestedTime(i);
            int procs = log.procs(i);
            above += requested > 0 && run > requested ? 1 : 0;
            neverRan += run <= 0 ? 1 : 0;
            noTime += requested <= 0 ? 1 : 0;
            noProcs += log.requestedProcs(i) <= 0 ? 1 : 0;
            noAllocated += log.allocatedProcs(i) <= 0 ? 1 : 0;
            larger += machine > 0 && procs > machine ? 1 : 0;
            outOfOrder += log.submit(i) < last ? 1 : 0;
            work += run > 0 && procs > 0 ? (double) run * procs : 0;
            first = Math.min(first, log.submit(i));
            last = Math.max(last, log.submit(i));
            if (log.waited(i) >= 0) {
                waits[waitKnown++] = log.waited(i);
            }
            if (run > 0) {
                runs[ran++] = run;
            }
            statuses.merge(log.status(i), 1, Integer::sum);
        }
        long span = n == 0 ? 0 : last - first;
        double capacity = (double) machine * span;
        waits = Arrays.copyOf(waits, waitKnown);
        return new SwfStatistics(
                n,
                machine,
                span,
                capacity > 0 ? work / capacity : 0,
                above,
                neverRan,
                noTime,
                noProcs,
                noAllocated,
                larger,
                outOfOrder,
                waitKnown,
                Arrays.stream(waits).average().orElse(0),
                median(waits),
                median(Arrays.copyOf(runs, ran)),
                statuses);
    }

    private static double median(long[] values) {
        if (values.length == 0) {
            return 0;
        }
        Arrays.sort(values);
        int middle = values.length / 2;
        return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2.0;
    }

    /** A summary in one line. */
    public String line() {
        return String.format(
                Locale.ROOT,
                "%d jobs in %.1f days on %d processors, offered utilisation %.1f %%; %d ran longer than requested, %d never ran,"
                        + " %d without requested time, %d larger than the machine, %d out of order",
                jobs,
                span / 86_400_000.0,
                machineSize,
                offeredUtilization * 100,
                runAboveRequest,
                neverRan,
                noRequestedTime,
                largerThanMachine,
                outOfOrder);
    }
}
