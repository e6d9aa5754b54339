package io.sheaf.strategy;

import io.sheaf.manager.Memo;

/**
 * What {@link Auto} remembers: when it was last planned, and what there was then.
 *
 * @param seen what was there, as auto tells it; {@link #ASK_AGAIN} if it is to be planned again in any case
 * @param hour when the hour began in which submissions are counted
 * @param calmUntil before which nothing is submitted
 * @param late by how many per cent the time of a task has been seen to be off at most, within bounds
 * @param left how many tasks were not done
 * @param narrowed when one was last submitted in place of a wider one
 */
record AutoMemo(
        long at,
        long seen,
        long hour,
        int submissions,
        long calmUntil,
        AllocatedNodeTime held,
        int late,
        int left,
        long narrowed)
        implements Memo {
    static final long ASK_AGAIN = -1;
    private static final long HOUR = 3_600_000;
    private static final int FIELDS = 9;
    static final AutoMemo NEVER = new AutoMemo(
            Long.MIN_VALUE / 2,
            ASK_AGAIN,
            Long.MIN_VALUE / 2,
            0,
            Long.MIN_VALUE / 2,
            AllocatedNodeTime.NOTHING,
            0,
            0,
            Long.MIN_VALUE / 2);

    /** The memo with the submissions of the hour to which an instant belongs. */
    AutoMemo inHourOf(long now) {
        boolean same = now < hour + HOUR;
        return same ? this : new AutoMemo(at, seen, now, 0, calmUntil, held, late, left, narrowed);
    }

    @Override
    public String text() {
        return at + ":" + seen + ":" + hour + ":" + submissions + ":" + calmUntil + ":" + held.text() + ":" + late + ":"
                + left + ":" + narrowed;
    }

    static AutoMemo read(String text) {
        String[] f = text.split(":");
        if (f.length < FIELDS) {
            // Of an earlier version: it is planned anew.
            return NEVER;
        }
        return new AutoMemo(
                Long.parseLong(f[0]),
                Long.parseLong(f[1]),
                Long.parseLong(f[2]),
                Integer.parseInt(f[3]),
                Long.parseLong(f[4]),
                AllocatedNodeTime.read(f[5]),
                Integer.parseInt(f[6]),
                Integer.parseInt(f[7]),
                Long.parseLong(f[8]));
    }
}
