package io.sheaf.lab.savings;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.batch.QueueOrder;
import io.sheaf.lab.report.Samples;
import io.sheaf.sim.Replay;
import io.sheaf.sim.ReplayResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The effective scheduling policy of a cluster: of the engine's policies and queue orders the one whose replay has the recorded starts.
 *
 * <p>Each candidate replays some windows of the log, each from the recorded state at its begin, with recorded arrivals and run times. Its error is the
 * mean absolute difference of replayed and recorded starts. The candidate with the smallest error is chosen; of equal ones the first.
 *
 * @param tried all candidates, best first
 * @param windows the number of replayed windows
 * @param jobs the number of compared jobs
 * @param meanWait the mean recorded wait of these jobs, in milliseconds
 */
public record PolicyFit(List<Candidate> tried, int windows, int jobs, double meanWait) {
    private static final long DAY = 86_400_000;

    /** The length of a window, and the most windows and jobs. */
    private static final long LENGTH = 3 * DAY;

    private static final int MAX_WINDOWS = 16;
    private static final int MAX_JOBS = 1_000;

    /** With fewer jobs in all windows no policy is inferred. */
    private static final int MIN_JOBS = 100;

    /**
     * A policy and its error.
     *
     * @param name for display
     * @param meanError the mean absolute error of starts, in milliseconds
     * @param meanShift the mean of replayed minus recorded starts, in milliseconds
     * @param equal whether the data cannot distinguish it from the best one: the 95 % interval of the difference, over windows, includes 0
     */
    public record Candidate(String name, Policy policy, double meanError, double meanShift, boolean equal) {}

    public Candidate best() {
        return tried.get(0);
    }

    /** Whether there were enough jobs to choose by. */
    public boolean isInferred() {
        return jobs >= MIN_JOBS && meanWait > 0;
    }

    /** The error of the chosen policy as a share of the mean wait. */
    public double relativeError() {
        return best().meanError() / meanWait;
    }

    private record Named(String name, Policy policy) {}

    /** Tries all candidates on a cluster of this many nodes. */
    public static PolicyFit of(PastJobs log, int nodes) {
        int[] byRelease = byRelease(log);
        List<RecordedWindow> windows = windows(log, byRelease, nodes);
        List<Named> candidates = candidates(nodes);
        double[][] errors = new double[candidates.size()][windows.size()];
        double[] shifts = new double[candidates.size()];
        int[] counts = new int[windows.size()];
        double waited = 0;
        for (int w = 0; w < windows.size(); w++) {
            RecordedWindow window = windows.get(w);
            for (int job = window.running(); job < window.place().length; job++) {
                int place = window.place()[job];
                waited += log.start[place] - log.release[place];
                counts[w]++;
            }
            for (int c = 0; c < candidates.size(); c++) {
                ReplayResult replayed = Replay.run(
                        window.jobs(), new BatchEngine(candidates.get(c).policy(), nodes));
                for (int job = window.running(); job < window.place().length; job++) {
                    long late = replayed.start(job) - window.toWindow(log.start[window.place()[job]]);
                    errors[c][w] += Math.abs(late);
                    shifts[c] += late;
                }
            }
        }
        int all = Arrays.stream(counts).sum();
        return new PolicyFit(ranked(candidates, errors, shifts, all), windows.size(), all, waited / Math.max(1, all));
    }

    private static List<Candidate> ranked(List<Named> candidates, double[][] errors, double[] shifts, int jobs) {
        double[] sums = new double[candidates.size()];
        int best = 0;
        for (int c = 0; c < sums.length; c++) {
            for (double each : errors[c]) {
                sums[c] += each;
            }
            best = sums[c] < sums[best] ? c : best;
        }
        List<Candidate> ranked = new ArrayList<>();
        for (int c = 0; c < sums.length; c++) {
            double[] differences = new double[errors[c].length];
            for (int w = 0; w < differences.length; w++) {
                differences[w] = errors[c][w] - errors[best][w];
            }
            boolean equal = sums[c] == sums[best]
                    || Samples.bootstrap(differences, "policy " + c).low() <= 0;
            ranked.add(new Candidate(
                    candidates.get(c).name(),
                    candidates.get(c).policy(),
                    sums[c] / Math.max(1, jobs),
                    shifts[c] / Math.max(1, jobs),
                    equal));
        }
        ranked.sort(Comparator.comparingDouble(Candidate::meanError));
        return ranked;
    }

    /** Windows spread evenly over the log after its first day, which lacks jobs that were submitted before. */
    private static List<RecordedWindow> windows(PastJobs log, int[] byRelease, int nodes) {
        List<RecordedWindow> windows = new ArrayList<>();
        if (log.size == 0) {
            return windows;
        }
        long first = log.submit[0] + DAY;
        long room = log.submit[log.size - 1] - first;
        long count = Math.min(MAX_WINDOWS, Math.max(1, room / LENGTH));
        for (int w = 0; w < count; w++) {
            long begin = first + room / count * w;
            long until = Math.min(begin + LENGTH, first + room / count * (w + 1));
            windows.add(RecordedWindow.of(
                    log, byRelease, begin, limited(log, byRelease, begin, until), new boolean[log.size], nodes));
        }
        return windows;
    }

    /** An earlier end of a window with very many jobs. */
    private static long limited(PastJobs log, int[] byRelease, long begin, long until) {
        int count = 0;
        for (int job : byRelease) {
            count += log.release[job] >= begin ? 1 : 0;
            if (count == MAX_JOBS) {
                return Math.min(until, log.release[job] + 1);
            }
        }
        return until;
    }

    /** Simple policies first: they win a tie. */
    private static List<Named> candidates(int nodes) {
        List<Named> all = new ArrayList<>();
        // A cluster's whole time for a day costs a user a day of waiting.
        long weight = Math.max(1, 3_600_000L / nodes);
        List<Named> depths = List.of(
                new Named("easy", Policy.easy()),
                new Named("conservative", Policy.conservative()),
                new Named("fcfs", Policy.fcfs()));
        for (Named depth : depths) {
            all.add(depth);
            all.add(new Named(depth.name() + ", large first", depth.policy().withOrder(QueueOrder.LARGE)));
            all.add(new Named(depth.name() + ", small first", depth.policy().withOrder(QueueOrder.SMALL)));
            all.add(new Named(
                    depth.name() + ", fair share",
                    depth.policy().withOrder(QueueOrder.ARRIVAL.withFairShare(weight, 7 * DAY))));
        }
        return all;
    }

    static int[] byRelease(PastJobs log) {
        return IntStream.range(0, log.size)
                .boxed()
                .sorted(Comparator.comparingLong((Integer job) -> log.release[job]))
                .mapToInt(job -> job)
                .toArray();
    }
}
