package io.sheaf.sim;

import io.sheaf.random.RandomStream;

/**
 * Who may come next, as seen from an instant of a log: each day to come is a day of the last weeks again, at the same hours and with the same requests.
 *
 * <p>Whole days keep what is typical: nights, bursts, and sizes that come together. Half of the time the day is one of the same weekday.
 */
final class PastArrivals {
    private static final int DAYS = 28;
    private static final int WEEK = 7;

    private final JobLog log;
    private final int known;
    private final long now;
    private final long dayLength;

    /**
     * The jobs of a log that were submitted before an instant; later ones are not looked at.
     *
     * @param day how long a day is
     */
    PastArrivals(JobLog log, int known, long now, long day) {
        this.log = log;
        this.known = known;
        this.now = now;
        dayLength = day;
    }

    /** Is told of an arrival. */
    interface Taker {
        /** A job like this one of the log comes, at this instant. */
        void comes(int job, long at);
    }

    /** Draws who comes within so long a time, in order. */
    void draw(long horizon, RandomStream random, Taker taker) {
        for (int day = 0; day * dayLength < horizon; day++) {
            long shift = shift(day, random);
            if (shift == 0) {
                return;
            }
            long from = now + day * dayLength - shift;
            long to = Math.min(from + dayLength, now + horizon - shift);
            for (int job = first(from); job < known && log.submit(job) < to; job++) {
                taker.comes(job, log.submit(job) + shift);
            }
        }
    }

    /** By how much what was is moved to a day from now; 0 if so much is not known. */
    private long shift(int day, RandomStream random) {
        long seen = known == 0 ? 0 : (now - log.submit(0)) / dayLength;
        int least = day + 1;
        int most = (int) Math.min(least + DAYS - 1, seen + day);
        if (most < least) {
            return 0;
        }
        int back = random.between(least, most);
        if (random.chance(0.5)) {
            int same = back - Math.floorMod(back, WEEK);
            back = same >= least ? same : back;
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
