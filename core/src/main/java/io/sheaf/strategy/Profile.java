package io.sheaf.strategy;

/**
 * Margins of requests, and the order in which tasks are planned and run.
 *
 * <p>{@link #OWN} is for real sites: a margin of a tenth, whole minutes, wait estimates for the actual request, one order for planning and running.
 * {@link #THESIS} reproduces the program of the authors of GLUME. It has a margin of a tenth, rounds up to the next minute, and adds five seconds of
 * the batch system. It estimates waits for the bare run time. It plans by task number and runs the longest task first, preferring the level of the
 * task that has just ended.
 *
 * @param safetyPercent the margin on an estimated run time, in per cent
 * @param alwaysNextMinute whether whole minutes are rounded up to the next one, too
 * @param paddingMillis added by the batch system after rounding
 * @param asksWithRequest whether waits are estimated for the actual request, or for the bare run time
 * @param planOrder the order of ready tasks in run-time estimates
 * @param runOrder the order of ready tasks in pilot jobs
 * @param reserveMillis the agents' reserve: a walltime plus this reserve is in whole minutes
 * @param sameLevelFirst whether in jobs of Zhang and GLUME a free core goes first to the level of the task that ended
 */
public record Profile(
        String name,
        int safetyPercent,
        boolean alwaysNextMinute,
        long paddingMillis,
        long reserveMillis,
        boolean asksWithRequest,
        TaskOrder planOrder,
        TaskOrder runOrder,
        boolean sameLevelFirst) {
    private static final long MINUTE = 60_000;

    public static final Profile OWN =
            new Profile("own", 10, false, 0, 0, true, TaskOrder.BOTTOM_LEVEL, TaskOrder.BOTTOM_LEVEL, false);

    public static final Profile THESIS = new Profile(
            "thesis", 10, true, 5_000, 0, false, TaskOrder.BY_NUMBER, TaskOrder.LONGEST_FIRST_GREATER_NUMBER, true);

    /** The walltime to request for an estimated run time, in milliseconds. */
    public long request(long runMillis) {
        return minutes(runMillis) * MINUTE - reserveMillis + paddingMillis;
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
        return (maxMillis + reserveMillis + MINUTE - 1) / MINUTE * MINUTE - reserveMillis + paddingMillis;
    }

    /** The same profile with a reserve of agents, which is requested in addition. */
    public Profile withReserve(long millis) {
        return new Profile(
                name,
                safetyPercent,
                alwaysNextMinute,
                paddingMillis,
                millis,
                asksWithRequest,
                planOrder,
                runOrder,
                sameLevelFirst);
    }

    /** The same profile with a larger margin on run times, if this one is larger. */
    Profile withPadding(int percent) {
        return new Profile(
                name,
                Math.max(safetyPercent, percent),
                alwaysNextMinute,
                paddingMillis,
                reserveMillis,
                asksWithRequest,
                planOrder,
                runOrder,
                sameLevelFirst);
    }

    /** The walltime used in wait estimates for an estimated run time, in milliseconds. */
    long estimateWalltime(long runMillis) {
        return asksWithRequest ? request(runMillis) : Math.max(1, runMillis);
    }

    /** The planned duration of a pilot job with this walltime, which later jobs wait for. */
    long planned(long walltime) {
        // The authors count a minute less than they request, without the padding.
        return alwaysNextMinute ? walltime - paddingMillis - MINUTE : walltime;
    }

    private long minutes(long runMillis) {
        long millis =
                runMillis + runMillis / 100 * safetyPercent + runMillis % 100 * safetyPercent / 100 + reserveMillis;
        long whole = millis / MINUTE;
        return alwaysNextMinute || millis % MINUTE != 0 ? whole + 1 : Math.max(1, whole);
    }
}
