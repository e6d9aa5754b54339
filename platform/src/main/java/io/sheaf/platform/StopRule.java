package io.sheaf.platform;

/**
 * When a simulation stops before its end.
 *
 * @param fraction of the workflow's work: when more than this was completed since the simulation went on
 * @param atLevels when the last task of a level was completed
 * @param latest when time has passed this: the simulation is then given up and cannot go on
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
