package io.sheaf.manager;

import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/** What the next attempts of tasks need in time and memory, with what earlier attempts have shown. */
final class TaskNeeds {
    /** Time for the nodes of a job to come up, in milliseconds. */
    private static final long CONNECTING = 60_000;

    private final Workflow workflow;
    private final Timeouts timeouts = new Timeouts();
    private final RunTimeError runTimeError = new RunTimeError();
    /** Observed run times if the given times are upper limits; else null. */
    private final @Nullable ObservedTimes observed;

    private final MemoryKills kills;
    /** The maximum remaining walltime that a task needs to be started, in milliseconds. */
    private long longest;

    TaskNeeds(Workflow workflow, Rules rules) {
        this.workflow = workflow;
        observed = rules.ample() ? new ObservedTimes() : null;
        kills = new MemoryKills(rules.growth());
        // A task may start within the first minute of a job of the maximum walltime, whatever margin it should have: no
        // job has more time.
        limit(rules.walltime());
    }

    /** The time that the next attempt of a task needs at least, in milliseconds; 0 if it is unknown. */
    long shortest(int task) {
        return Math.max(millis(task), timeouts.atLeast(task));
    }

    long longest() {
        return longest;
    }

    /** Sets the maximum walltime of the jobs that may run any task, in milliseconds. */
    final void limit(long walltime) {
        longest = walltime == Long.MAX_VALUE ? walltime : Math.max(1, walltime - CONNECTING);
    }

    /** A copy, for the same workflow or for that which it has grown to. */
    TaskNeeds(TaskNeeds source, Workflow workflow) {
        this.workflow = workflow;
        timeouts.copy(source.timeouts);
        runTimeError.restore(source.runTimeError.percent());
        observed = source.observed == null ? null : new ObservedTimes(source.observed);
        kills = new MemoryKills(source.kills);
        longest = source.longest;
    }

    void restore(int task, Checkpoint.Task saved) {
        timeouts.restore(task, saved.cuts(), saved.cutAfter());
        kills.restore(workflow, task, saved.kills());
    }

    Timeouts timeouts() {
        return timeouts;
    }

    RunTimeError runTimeError() {
        return runTimeError;
    }

    /** The number of attempts of a task that were killed for their memory. */
    int kills(int task) {
        return kills.kills(task);
    }

    /** Records an out-of-memory kill. Returns whether the next attempt has a larger request. */
    boolean outOfMemory(int task) {
        return kills.add(workflow, task);
    }

    /** What the running or next attempt of a task needs. */
    Resources of(int task) {
        return kills.needs(workflow, task);
    }

    /** Records the run time of a completed task on its declared cores. */
    void addRunTime(int task, long millis) {
        if (observed == null) {
            runTimeError.add(millis(task), millis);
        } else {
            // A shorter run time than the limit is no estimation error.
            runTimeError.add(millis(task), Math.max(millis(task), millis));
            observed.add(workflow, task, millis);
        }
    }

    /** The remaining walltime that a task needs to be started, if the claim requires it to fit. One of unknown time takes longer than those of its category that were cut off. */
    long room(int task) {
        long allowed = workflow.timeMicros(task) == Workflow.UNKNOWN
                ? timeouts.longestLike(task, workflow)
                : runTimeError.allowing(millis(task));
        long needed =
                Math.max(observed == null ? allowed : observed.bound(workflow, task, allowed), timeouts.atLeast(task));
        return Math.min(needed, longest);
    }

    private long millis(int task) {
        return (Math.max(0, workflow.timeMicros(task)) + 999) / 1000;
    }

    void describe(StringBuilder text) {
        text.append(timeouts).append('\n').append(kills);
        if (observed != null) {
            observed.describe(text);
        }
        text.append(runTimeError.percent() == 0 ? "\n" : " off " + runTimeError.percent() + "\n");
    }
}
