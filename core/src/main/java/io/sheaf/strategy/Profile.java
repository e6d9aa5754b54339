package io.sheaf.strategy;

/**
 * What is done to a request on its way to the batch system, and in which order tasks are planned and run.
 *
 * <p>{@link #OWN} is what we would do on a real site: a tenth more time than estimated, whole minutes, waits asked for with just that
 * request, one order for planning and running. {@link #THESIS} is what the authors of GLUME did (their code, where it differs from their
 * text): a tenth more, always up to the next minute, five seconds of the batch system's own, waits asked for with the bare run
 * time, planning by task number and running longest first, with a preference for the level of the task that has just ended.
 *
 * @param safetyPercent what is added to an estimated run time, in percent
 * @param alwaysNextMinute whether a time of whole minutes is rounded up to the next one, too
 * @param paddingMillis added by the batch system behind the rounding
 * @param asksWithRequest whether waits are asked for with the request that will be made, or with the bare run time
 * @param planOrder in which order run-time estimates take ready tasks
 * @param runOrder in which order pilot jobs take ready tasks
 * @param keptMillis what agents keep of each job: a walltime and this together are whole minutes
 * @param sameLevelFirst whether in jobs of Zhang and GLUME a free core goes first to the level of the task that ended
 */
public record Profile(
        String name,
        int safetyPercent,
        boolean alwaysNextMinute,
        long paddingMillis,
        long keptMillis,
        boolean asksWithRequest,
        TaskOrder planOrder,
        TaskOrder runOrder,
        boolean sameLevelFirst) {
    private static final long MINUTE = 60_000;

    public static final Profile OWN =
            new Profile("own", 10, false, 0, 0, true, TaskOrder.BOTTOM_LEVEL, TaskOrder.BOTTOM_LEVEL, false);

    public static final Profile THESIS = new Profile(
            "thesis", 10, true, 5_000, 0, false, TaskOrder.BY_NUMBER, TaskOrder.LONGEST_FIRST_GREATER_NUMBER, true);

    /** The walltime to request for work that is estimated to take so long, in milliseconds. */
    public long request(long runMillis) {
        return minutes(runMillis) * MINUTE - keptMillis + paddingMillis;
    }

    /** The least walltime that is enough for work that takes so long at most, of whole minutes with what agents keep. */
    long enough(long mostMillis) {
        return (mostMillis + keptMillis + MINUTE - 1) / MINUTE * MINUTE - keptMillis + paddingMillis;
    }

    /** The same where agents keep something of each job for themselves, which the batch system is asked for in addition. */
    public Profile keeping(long millis) {
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

    /** The same with a greater part added to estimated run times, if this is greater. */
    Profile adding(int percent) {
        return new Profile(
                name,
                Math.max(safetyPercent, percent),
                alwaysNextMinute,
                paddingMillis,
                keptMillis,
                asksWithRequest,
                planOrder,
                runOrder,
                sameLevelFirst);
    }

    /** What waits are asked for with: the walltime of a job whose work is estimated to take so long. */
    long asked(long runMillis) {
        return asksWithRequest ? request(runMillis) : Math.max(1, runMillis);
    }

    /** How long after its start a pilot job is taken to end, from its walltime: what others planned behind it must wait for. */
    long planned(long walltime) {
        // The authors count a minute less than they request, without the padding.
        return alwaysNextMinute ? walltime - paddingMillis - MINUTE : walltime;
    }

    private long minutes(long runMillis) {
        long millis = runMillis + runMillis / 100 * safetyPercent + runMillis % 100 * safetyPercent / 100 + keptMillis;
        long whole = millis / MINUTE;
        return alwaysNextMinute || millis % MINUTE != 0 ? whole + 1 : Math.max(1, whole);
    }
}
