package io.sheaf.sim;

import io.sheaf.random.RandomStream;

/**
 * Samples arrivals from the past of a log: each future day repeats a day of the last weeks, at the same hours and with the same requests.
 *
 * <p>Whole days preserve nights, bursts and correlated sizes. With a probability of one half the day has the same weekday.
 */
public final class PastArrivals {
    private static final int DAYS = 28;
    private static final int WEEK = 7;

    private final JobLog log;
    private final int known;
    private final long now;
    private final long dayLength;

    /**
     * The jobs of a log that were submitted before an instant; later ones are ignored.
     *
     * @param day the length of a day
     */
    public PastArrivals(JobLog log, int known, long now, long day) {
        this.log = log;
        this.known = known;
        this.now = now;
        dayLength = day;
    }

    /** Receives the sampled arrivals. */
    @FunctionalInterface
    public interface Consumer {
        /** A job like this one of the log arrives at this instant. */
        void add(int job, long at);
    }

    /** Samples the arrivals up to the horizon, in order. */
    public void draw(long horizon, RandomStream random, Consumer taker) {
        for (int day = 0; day * dayLength < horizon; day++) {
            long shift = shift(day, random);
            if (shift == 0) {
                return;
            }
            long from = now + day * dayLength - shift;
            long to = Math.min(from + dayLength, now + horizon - shift);
            for (int job = first(from); job < known && log.submit(job) < to; job++) {
                taker.add(job, log.submit(job) + shift);
            }
        }
    }

    /** The time by which past arrivals are moved to a future day; 0 if the past is too short. */
    private long shift(int day, RandomStream random) {
        long seen = known == 0 ? 0 : (now - log.submit(0)) / dayLength;
        int min = day + 1;
        int max = (int) Math.min(min + DAYS - 1, seen + day);
        if (max < min) {
            return 0;
        }
        int back = random.between(min, max);
        if (random.chance(0.5)) {
            int sameHour = back - Math.floorMod(back, WEEK);
            back = sameHour >= min ? sameHour : back;
        }
        return back * dayLength;
    }

    private int first(long from) {
        int low = 0;
        int high = known;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (log.submit(middle) < from) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
