package io.sheaf.strategy;

/**
 * Margins of requests, and the order in which tasks are planned and run.
 *
 * <p>{@link #OWN} is for real sites: a margin of a tenth, whole minutes, wait estimates for the actual request, one order for planning and running.
 * {@link #THESIS} reproduces the program of the authors of GLUME. It has a margin of a tenth, rounds up to the next minute, and adds five seconds of
 * the batch system. It estimates waits for the bare run time. It plans by task number and runs the longest task first, preferring the level of the
 * task that has just ended.
 *
 * @param thesis whether requests and orders of tasks are those of the thesis' program
 * @param safetyPercent the margin on an estimated run time, in per cent
 * @param reserveMillis the agents' reserve: a walltime plus this reserve is in whole minutes
 */
public record Profile(boolean thesis, int safetyPercent, long reserveMillis) {
    private static final long MINUTE = 60_000;
    /** What the thesis' batch system adds to a request after rounding. */
    private static final long THESIS_PADDING = 5_000;

    public static final Profile OWN = new Profile(false, 10, 0);
    public static final Profile THESIS = new Profile(true, 10, 0);

    private long padding() {
        return thesis ? THESIS_PADDING : 0;
    }

    /** The order of ready tasks in run-time estimates. */
    public TaskOrder planOrder() {
        return thesis ? TaskOrder.BY_NUMBER : TaskOrder.BOTTOM_LEVEL;
    }

    /** The order of ready tasks in pilot jobs. */
    public TaskOrder runOrder() {
        return thesis ? TaskOrder.LONGEST_FIRST_GREATER_NUMBER : TaskOrder.BOTTOM_LEVEL;
    }

    /** Whether in jobs of Zhang and GLUME a free core goes first to the level of the task that ended. */
    public boolean sameLevelFirst() {
        return thesis;
    }

    /** The walltime to request for an estimated run time, in milliseconds. */
    public long request(long runMillis) {
        return minutes(runMillis) * MINUTE - reserveMillis + padding();
    }

    /** The greatest estimated run time whose request is within a limit of walltimes, in milliseconds; may be 0. */
    long longestRun(long walltime) {
        if (walltime == Long.MAX_VALUE) {
            return Long.MAX_VALUE;
        }
        long fits = 0;
        long tooLong = walltime + 1;
        while (tooLong - fits > 1) {
            long middle = (fits + tooLong) >>> 1;
            if (request(middle) <= walltime) {
                fits = middle;
            } else {
                tooLong = middle;
            }
        }
        return fits;
    }

    /** The walltime to request for an estimated run time within a limit: the limit where the margin exceeds it. */
    long request(long runMillis, long max) {
        return Math.min(request(runMillis), max);
    }

    /** The shortest sufficient walltime for a maximum run time, in whole minutes including the reserve. */
    long enough(long maxMillis) {
        return (maxMillis + reserveMillis + MINUTE - 1) / MINUTE * MINUTE - reserveMillis + padding();
    }

    /** The same profile with a reserve of agents, which is requested in addition. */
    public Profile withReserve(long millis) {
        return new Profile(thesis, safetyPercent, millis);
    }

    /** The same profile with a larger margin on run times, if this one is larger. */
    Profile withPadding(int percent) {
        return new Profile(thesis, Math.max(safetyPercent, percent), reserveMillis);
    }

    /** The same profile with walltimes that are longer by a further margin, in per cent. */
    Profile withMargin(int percent) {
        int product = (100 + safetyPercent) * (100 + percent);
        return percent == 0 ? this : new Profile(thesis, (product + 99) / 100 - 100, reserveMillis);
    }

    /** The walltime used in wait estimates for an estimated run time, in milliseconds. */
    long estimateWalltime(long runMillis) {
        return thesis ? Math.max(1, runMillis) : request(runMillis);
    }

    /** The planned duration of a pilot job with this walltime, which later jobs wait for. */
    long planned(long walltime) {
        // The authors count a minute less than they request, without the padding.
        return thesis ? walltime - padding() - MINUTE : walltime;
    }

    private long minutes(long runMillis) {
        long millis =
                runMillis + runMillis / 100 * safetyPercent + runMillis % 100 * safetyPercent / 100 + reserveMillis;
        long whole = millis / MINUTE;
        return thesis || millis % MINUTE != 0 ? whole + 1 : Math.max(1, whole);
    }
}
