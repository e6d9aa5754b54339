package io.sheaf.sim;

import io.sheaf.random.RandomStream;

/**
 * Samples arrivals from the past of a log: each future day repeats a day of the last weeks, at the same hours and with the same requests.
 *
 * <p>Whole days preserve nights, bursts and correlated sizes. With a probability of one half the day has the same weekday.
 *
 * @param known the number of jobs submitted before {@code now}; later ones are ignored
 * @param day the length of a day
 */
public record PastArrivals(JobLog log, int known, long now, long day) {
    private static final int DAYS = 28;
    private static final int WEEK = 7;

    /** Receives the sampled arrivals. */
    @FunctionalInterface
    public interface Consumer {
        /** A job like this one of the log arrives at this instant. */
        void add(int job, long at);
    }

    /** Samples the arrivals up to the horizon, in order. */
    public void draw(long horizon, RandomStream random, Consumer taker) {
        for (int ahead = 0; ahead * day < horizon; ahead++) {
            long shift = shift(ahead, random);
            if (shift == 0) {
                return;
            }
            long from = now + ahead * day - shift;
            long to = Math.min(from + day, now + horizon - shift);
            for (int job = log.firstFrom(from); job < known && log.submit(job) < to; job++) {
                taker.add(job, log.submit(job) + shift);
            }
        }
    }

    /** The time by which past arrivals are moved to a future day; 0 if the past is too short. */
    private long shift(int ahead, RandomStream random) {
        long seen = known == 0 ? 0 : (now - log.submit(0)) / day;
        int min = ahead + 1;
        int max = (int) Math.min(min + DAYS - 1, seen + ahead);
        if (max < min) {
            return 0;
        }
        int back = random.between(min, max);
        if (random.chance(0.5)) {
            int sameHour = back - Math.floorMod(back, WEEK);
            back = sameHour >= min ? sameHour : back;
        }
        return back * day;
    }
}
