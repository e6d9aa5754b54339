package io.sheaf.manager;

import java.util.Arrays;

/** How many tasks of each level are not over, run, and are held back; and the first level with something left to do. */
final class LevelCounts {
    private final int[] running;
    private final int[] unfinished;
    private final int[] held;
    private int allUnfinished;
    private int allHeld;
    private int first;

    LevelCounts(int levels) {
        running = new int[levels];
        unfinished = new int[levels];
        held = new int[levels];
    }

    /** A copy. */
    LevelCounts(LevelCounts of) {
        running = of.running.clone();
        unfinished = of.unfinished.clone();
        held = of.held.clone();
        allUnfinished = of.allUnfinished;
        allHeld = of.allHeld;
        first = of.first;
    }

    /** No task is counted as not over any more. */
    void clearUnfinished() {
        allUnfinished = 0;
        Arrays.fill(unfinished, 0);
    }

    /** One task more is not over. */
    void add(int level) {
        allUnfinished++;
        unfinished[level]++;
    }

    /** A task is over. */
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

    void hold(int level, boolean wished) {
        held[level] += wished ? 1 : -1;
        allHeld += wished ? 1 : -1;
    }

    /** Looks for the first level with something left to do from the first of all on: more may be left than before. */
    void restart() {
        first = 0;
        advance();
    }

    /** The same from where it was found before. */
    void advance() {
        while (first < unfinished.length && unfinished(first) == 0) {
            first++;
        }
    }

    /** Tasks of a level that are not over, without those that are held back. */
    int unfinished(int level) {
        return unfinished[level] - held[level];
    }

    /** Tasks of a level that are neither over nor running nor held back. */
    int idle(int level) {
        return unfinished(level) - running[level];
    }

    /** Tasks that are not over. */
    int unfinished() {
        return allUnfinished;
    }

    /** Whether all tasks are over or held back. */
    boolean isNothingLeft() {
        return allUnfinished == allHeld;
    }

    /** The first level with a task that is neither over nor held back; the number of levels if there is none. */
    int first() {
        return first;
    }

    @Override
    public String toString() {
        return Arrays.toString(running) + Arrays.toString(unfinished) + allUnfinished + " " + first;
    }
}
