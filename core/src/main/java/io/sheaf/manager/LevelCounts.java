package io.sheaf.manager;

import java.util.Arrays;

/** Counts unfinished, running and held tasks per level, and finds the first level with work left. */
final class LevelCounts {
    private final int[] running;
    private final int[] unfinished;
    private final int[] held;
    private int allUnfinished;
    private int allHeld;
    /** The first level with a task that is neither final nor held; the number of levels if there is none. */
    int first;

    LevelCounts(int levels) {
        running = new int[levels];
        unfinished = new int[levels];
        held = new int[levels];
    }

    LevelCounts(LevelCounts source) {
        running = source.running.clone();
        unfinished = source.unfinished.clone();
        held = source.held.clone();
        allUnfinished = source.allUnfinished;
        allHeld = source.allHeld;
        first = source.first;
    }

    /** Resets the counts of unfinished tasks. */
    void clearUnfinished() {
        allUnfinished = 0;
        Arrays.fill(unfinished, 0);
    }

    /** Adds an unfinished task. */
    void add(int level) {
        allUnfinished++;
        unfinished[level]++;
    }

    /** Removes a task that became final. */
    void finish(int level) {
        allUnfinished--;
        unfinished[level]--;
        advance();
    }

    void run(int level) {
        running[level]++;
    }

    void stop(int level) {
        running[level]--;
    }

    void hold(int level, boolean value) {
        held[level] += value ? 1 : -1;
        allHeld += value ? 1 : -1;
    }

    /** Searches the first level with work left from level 0, because work may have been added. */
    void restart() {
        first = 0;
        advance();
    }

    /** Searches the first level with work left from the previous one. */
    void advance() {
        while (first < unfinished.length && unfinished(first) == 0) {
            first++;
        }
    }

    /** Unfinished tasks of a level, without held ones. */
    int unfinished(int level) {
        return unfinished[level] - held[level];
    }

    /** Tasks of a level that are neither final nor running nor held. */
    int idle(int level) {
        return unfinished(level) - running[level];
    }

    int unfinished() {
        return allUnfinished;
    }

    /** Whether all tasks are final or held. */
    boolean isNothingLeft() {
        return allUnfinished == allHeld;
    }
}
