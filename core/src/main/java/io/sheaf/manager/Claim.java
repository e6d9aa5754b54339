package io.sheaf.manager;

/**
 * The tasks that a pilot job may run: tasks of consecutive levels, or a subset of them.
 *
 * <p>Claims may overlap, because tasks are bound only when a core is free. The pilot job that has a free core first runs the task.
 *
 * @param firstLevel the first level that it may run
 * @param lastLevel the last one
 * @param tasks those that it may run in these levels
 * @param onlyIfFits whether a task is started only if its expected run time ends before the walltime
 * @param sameLevelFirst whether a core that becomes free goes first to the level of the task that ended on it
 * @param choosesCores whether the manager chooses the cores of moldable tasks ({@link Molding}); else they run on their declared cores
 */
public record Claim(
        int firstLevel,
        int lastLevel,
        TaskGroup tasks,
        boolean onlyIfFits,
        boolean sameLevelFirst,
        boolean choosesCores) {
    /** The last level of a claim on a run that may grow; exceeds the levels of any workflow. */
    private static final int OPEN_END = 1 << 30;

    public static Claim levels(int first, int last) {
        return new Claim(first, last, TaskGroup.ALL, false, false, false);
    }

    /** All tasks of a run, including tasks that are added later. */
    public static Claim all(View view) {
        return levels(0, view.isOpen() ? OPEN_END : view.workflow().levels() - 1);
    }

    /** Whether it has no last level, so that it includes tasks that are added later. */
    public boolean isOpenEnded() {
        return lastLevel == OPEN_END;
    }

    /** Whether it includes tasks of a level. */
    public boolean hasLevel(int level) {
        return firstLevel <= level && level <= lastLevel;
    }

    /** Whether it includes a task of a level. */
    public boolean has(int task, int level) {
        return hasLevel(level) && tasks.contains(task);
    }

    public static Claim task(int task, int level) {
        return new Claim(level, level, TaskGroup.of(task), false, false, false);
    }

    /** The same claim with another {@code sameLevelFirst}. */
    public Claim sameLevelFirst(boolean value) {
        return new Claim(firstLevel, lastLevel, tasks, onlyIfFits, value, choosesCores);
    }

    /** The same claim that starts a task only if its expected end is before the walltime. */
    public Claim onlyWhatFits() {
        return new Claim(firstLevel, lastLevel, tasks, true, sameLevelFirst, choosesCores);
    }

    /** The same claim that chooses the cores of moldable tasks when it starts them. */
    public Claim choosingCores() {
        return new Claim(firstLevel, lastLevel, tasks, onlyIfFits, sameLevelFirst, true);
    }

    /** The same claim, restricted to a subset of the tasks. */
    public Claim only(TaskGroup group) {
        return new Claim(firstLevel, lastLevel, group, onlyIfFits, sameLevelFirst, choosesCores);
    }
}
