package io.sheaf.manager;

/**
 * Which tasks a placeholder may run: those of some consecutive levels, or a single one.
 *
 * <p>Tasks are bound to nodes late, when a core is free, so claims may overlap; each task is run by whichever placeholder takes it first.
 *
 * @param firstLevel the first level that it may run
 * @param lastLevel the last one
 * @param task the only task that it may run, or {@link #ANY}
 * @param onlyIfFits whether a task is started only if its expected run time ends before the walltime
 * @param sameLevelFirst whether a core that becomes free goes first to the level of the task that ended on it
 */
public record Claim(int firstLevel, int lastLevel, int task, boolean onlyIfFits, boolean sameLevelFirst) {
    public static final int ANY = -1;

    public static Claim levels(int first, int last) {
        return new Claim(first, last, ANY, false, false);
    }

    public static Claim task(int task, int level) {
        return new Claim(level, level, task, false, false);
    }

    /** The same, where a core that becomes free stays with its level if it can. */
    public Claim sameLevelFirst(boolean wished) {
        return new Claim(firstLevel, lastLevel, task, onlyIfFits, wished);
    }
}
