package io.sheaf.sim;

import io.sheaf.random.RandomStream;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;

/** Selects the jobs of a log for the evaluation and the training of forecasts; all of them have to wait. */
final class EvaluationJobs {
    /** The number of training jobs before each week: of the last four weeks, or further back if needed. */
    private static final int PRACTICE = 100;

    private final JobLog log;
    private final long week;
    private final List<Integer> waited = new ArrayList<>();

    /**
     * For a log.
     *
     * @param startOf the start of each job in the replay; negative if it has not started
     * @param day the length of a day of the log, in milliseconds
     */
    EvaluationJobs(JobLog log, long[] startOf, long day) {
        this.log = log;
        week = 7 * day;
        for (int job = 0; job < log.size(); job++) {
            if (startOf[job] < 0 || startOf[job] > log.submit(job)) {
                waited.add(job);
            }
        }
    }

    /** A sample of each week; the weeks are spread over the second half of the log. */
    BitSet judged(int weeks, int jobsAWeek, long seed) {
        BitSet judged = new BitSet();
        for (int number = 0; number < weeks; number++) {
            long begin = begin(number, weeks);
            List<Integer> inWeek = between(begin, begin + week);
            int[] order = new RandomStream(seed).split("jobs").split(number).permutation(inWeek.size());
            for (int i = 0; i < Math.min(jobsAWeek, order.length); i++) {
                judged.set(inWeek.get(order[i]));
            }
        }
        return judged;
    }

    /** The training jobs before each of the weeks. */
    BitSet practice(int weeks) {
        BitSet practice = new BitSet();
        for (int week = 0; week < weeks; week++) {
            practice.or(practice(begin(week, weeks)));
        }
        return practice;
    }

    /** The training jobs before an instant, evenly spread. */
    BitSet practice(long before) {
        List<Integer> recent = between(before - 4 * week, before);
        List<Integer> all = recent.size() < PRACTICE ? between(Long.MIN_VALUE, before) : recent;
        List<Integer> selected =
                recent.size() < PRACTICE ? all.subList(Math.max(0, all.size() - PRACTICE), all.size()) : all;
        BitSet practice = new BitSet();
        for (int i = 0; i < Math.min(PRACTICE, selected.size()); i++) {
            practice.set(selected.get((int) ((long) i * selected.size() / Math.min(PRACTICE, selected.size()))));
        }
        return practice;
    }

    private long begin(int number, int weeks) {
        long first = log.submit(0);
        long room = Math.max(0, log.submit(log.size() - 1) - first - week);
        return first + room / 2 + (weeks == 1 ? room / 2 : room / 2 * number / (weeks - 1));
    }

    /** Jobs with a wait that were submitted in an interval. */
    private List<Integer> between(long from, long to) {
        return waited.subList(place(from), place(to));
    }

    /** The number of them that were submitted before an instant. */
    private int place(long instant) {
        int at = Collections.binarySearch(waited, log.firstFrom(instant));
        return at < 0 ? -at - 1 : at;
    }
}
