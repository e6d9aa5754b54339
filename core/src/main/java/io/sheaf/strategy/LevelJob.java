package io.sheaf.strategy;

/**
 * A job that might be asked for, and what is expected of it; times in milliseconds.
 *
 * @param run what its tasks take
 * @param leeway extra time, for a start before the predecessor's end
 * @param queueWait how long it would wait with run and leeway
 */
record LevelJob(int firstLevel, int lastLevel, int nodes, long run, long leeway, long queueWait) {
    /** Run time and leeway: what is asked for, before the profile adds its own. */
    long asked() {
        return run + leeway;
    }

    String what() {
        return (firstLevel == lastLevel ? "level " + firstLevel : "levels " + firstLevel + "-" + lastLevel);
    }
}
