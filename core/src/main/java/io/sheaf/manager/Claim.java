package io.sheaf.manager;

/**
 * Which tasks a pilot job may run: those of some consecutive levels, or some of these.
 *
 * <p>Tasks are bound to nodes late, when a core is free, so claims may overlap; each task is run by whichever pilot job takes it first.
 *
 * @param firstLevel the first level that it may run
 * @param lastLevel the last one
 * @param tasks those that it may run in these levels
 * @param onlyIfFits whether a task is started only if its expected run time ends before the walltime
 * @param sameLevelFirst whether a core that becomes free goes first to the level of the task that ended on it
 */
public record Claim(int firstLevel, int lastLevel, TaskGroup tasks, boolean onlyIfFits, boolean sameLevelFirst) {
    /** In place of the last level of a claim on a run that may grow; more levels than any workflow has. */
    private static final int OPEN_END = 1 << 30;

    public static Claim levels(int first, int last) {
        return new Claim(first, last, TaskGroup.ALL, false, false);
    }

    /** All tasks of a run, also those that are added to it later. */
    public static Claim all(View view) {
        return levels(0, view.isOpen() ? OPEN_END : view.workflow().levels() - 1);
    }

    /** Whether it has no last level: tasks that are added later count. */
    public boolean isOpenEnded() {
        return lastLevel == OPEN_END;
    }

    public static Claim task(int task, int level) {
        return new Claim(level, level, TaskGroup.of(task), false, false);
    }

    /** The same, where a core that becomes free stays with its level if it can. */
    public Claim sameLevelFirst(boolean wished) {
        return new Claim(firstLevel, lastLevel, tasks, onlyIfFits, wished);
    }

    /** The same, where a task is started only if it is expected to end before the walltime. */
    public Claim onlyWhatFits() {
        return new Claim(firstLevel, lastLevel, tasks, true, sameLevelFirst);
    }

    /** The same for some of the tasks. */
    public Claim only(TaskGroup some) {
        return new Claim(firstLevel, lastLevel, some, onlyIfFits, sameLevelFirst);
    }
}
