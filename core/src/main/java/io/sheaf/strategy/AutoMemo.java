package io.sheaf.strategy;

import io.sheaf.manager.Memo;

/**
 * The memo of {@link Auto}: the time and the state of the last planning.
 *
 * @param stateHash a hash of the state; {@link #PLAN_AGAIN} to plan again in any case
 * @param hour the start of the hour in which submissions are counted
 * @param calmUntil no job is submitted before this instant
 * @param late the maximum error of a task's run time, in per cent, within bounds
 * @param left the number of unfinished tasks
 * @param narrowed when a job was last submitted in place of a wider one
 */
record AutoMemo(
        long at,
        long stateHash,
        long hour,
        int submissions,
        long calmUntil,
        AllocatedNodeTime held,
        int late,
        int left,
        long narrowed)
        implements Memo {
    static final long PLAN_AGAIN = -1;
    private static final long HOUR = 3_600_000;
    private static final int FIELDS = 9;
    static final AutoMemo NEVER = new AutoMemo(
            Long.MIN_VALUE / 2,
            PLAN_AGAIN,
            Long.MIN_VALUE / 2,
            0,
            Long.MIN_VALUE / 2,
            AllocatedNodeTime.NOTHING,
            0,
            0,
            Long.MIN_VALUE / 2);

    /** The memo with the submissions of the hour to which an instant belongs. */
    AutoMemo inHourOf(long now) {
        boolean sameHour = now < hour + HOUR;
        return sameHour ? this : new AutoMemo(at, stateHash, now, 0, calmUntil, held, late, left, narrowed);
    }

    /** The memo with another end of the time without submissions. */
    AutoMemo calmUntil(long until) {
        return new AutoMemo(at, stateHash, hour, submissions, until, held, late, left, narrowed);
    }

    @Override
    public String text() {
        return at + ":" + stateHash + ":" + hour + ":" + submissions + ":" + calmUntil + ":" + held.text() + ":" + late
                + ":" + left + ":" + narrowed;
    }

    static AutoMemo read(String text) {
        String[] f = text.split(":");
        if (f.length < FIELDS) {
            // Written by an earlier version: plan again.
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
