package io.sheaf.strategy;

/**
 * A candidate job and its estimates; times in milliseconds.
 *
 * @param run the run time of its tasks
 * @param leeway extra time, for a start before the predecessor's end
 * @param queueWait its queue wait with run and leeway
 * @param dependent whether it depends on its predecessor's end instead of requesting leeway
 */
record LevelJob(int firstLevel, int lastLevel, int nodes, long run, long leeway, long queueWait, boolean dependent) {
    LevelJob(int firstLevel, int lastLevel, int nodes, long run, long leeway, long queueWait) {
        this(firstLevel, lastLevel, nodes, run, leeway, queueWait, false);
    }

    /** The same job without leeway, which starts after its predecessor's end. */
    LevelJob afterPredecessor(long delay) {
        return new LevelJob(firstLevel, lastLevel, nodes, run, 0, Math.max(delay, queueWait), true);
    }

    /** Run time and leeway: the request before the profile adds its margins. */
    long runWithLeeway() {
        return run + leeway;
    }

    String label() {
        return (firstLevel == lastLevel ? "level " + firstLevel : "levels " + firstLevel + "-" + lastLevel);
    }
}
