package io.sheaf.platform;

/**
 * When a simulation stops before its end.
 *
 * @param fraction of the workflow's work: stop when more than this was completed since the last stop
 * @param atLevels stop when the last task of a level was completed
 * @param latest stop after this time; the simulation cannot continue then
 */
record StopRule(double fraction, boolean atLevels, double latest) {
    static final StopRule NEVER = afterWork(Double.POSITIVE_INFINITY);

    static StopRule afterWork(double fraction) {
        return new StopRule(fraction, false, Double.POSITIVE_INFINITY);
    }

    StopRule orAfter(double time) {
        return new StopRule(fraction, atLevels, time);
    }
}
