package io.sheaf.strategy;

/**
 * A candidate job and its estimates; times in milliseconds.
 *
 * @param run the run time of its tasks
 * @param leeway extra time, for a start before the predecessor's end
 * @param queueWait its queue wait with run and leeway
 */
record LevelJob(int firstLevel, int lastLevel, int nodes, long run, long leeway, long queueWait) {
    /** Run time and leeway: the request before the profile adds its margins. */
    long asked() {
        return run + leeway;
    }

    String what() {
        return (firstLevel == lastLevel ? "level " + firstLevel : "levels " + firstLevel + "-" + lastLevel);
    }
}
