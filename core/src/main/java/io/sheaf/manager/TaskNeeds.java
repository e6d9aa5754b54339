package io.sheaf.manager;

import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the next attempts of tasks need in time and memory, with what earlier attempts have shown: cut-offs, run times, and kills for exceeding the
 * memory request, after which the request grows.
 *
 * <p>The error of expected run times is relative to the shorter of expected and actual time. It is symmetric: 4 minutes instead of 5 count as much as
 * 5 instead of 4, namely 25 %.
 */
final class TaskNeeds {
    /** Time for the nodes of a job to come up, in milliseconds. */
    private static final long CONNECTING = 60_000;

    /** Tasks with a shorter expected time, in milliseconds, are ignored in the error of run times. */
    private static final long TELLING = 60_000;

    /** The maximum error of run times, in per cent. */
    private static final int MAX_ERROR = 100;

    private static final int ALL = 100;

    /** Where the memory of nodes is unknown. */
    private static final long UNBOUNDED = 1L << 50;

    /** The number of kills of a task's attempts, and its grown request. */
    private record Grown(int kills, Resources needs) {}

    private final Workflow workflow;
    final Timeouts timeouts = new Timeouts();
    /** The maximum relative error of expected run times, in per cent. */
    int runTimeError;
    /** Observed run times if the given times are upper limits; else null. */
    private final @Nullable ObservedTimes observed;

    private final MemoryGrowth growth;
    private final Map<Integer, Grown> grown = new TreeMap<>();
    /** The maximum remaining walltime that a task needs to be started, in milliseconds. */
    long longest;

    TaskNeeds(Workflow workflow, Rules rules) {
        this.workflow = workflow;
        observed = rules.ample ? new ObservedTimes() : null;
        growth = rules.growth;
        // A task may start within the first minute of a job of the maximum walltime, whatever margin it should have: no
        // job has more time.
        limit(rules.walltime());
    }

    /** The time that the next attempt of a task needs at least, in milliseconds; 0 if it is unknown. */
    long shortest(int task) {
        return Math.max(workflow.timeMillis(task), timeouts.atLeast(task));
    }

    /** Sets the maximum walltime of the jobs that may run any task, in milliseconds. */
    final void limit(long walltime) {
        longest = walltime == Long.MAX_VALUE ? walltime : Math.max(1, walltime - CONNECTING);
    }

    /** A copy, for the same workflow or for that which it has grown to. */
    TaskNeeds(TaskNeeds source, Workflow workflow) {
        this.workflow = workflow;
        timeouts.copy(source.timeouts);
        runTimeError = source.runTimeError;
        observed = source.observed == null ? null : new ObservedTimes(source.observed);
        growth = source.growth;
        grown.putAll(source.grown);
        longest = source.longest;
    }

    void restore(int task, Checkpoint.Task saved) {
        timeouts.restore(task, saved.cuts(), saved.cutAfter());
        setKills(task, saved.kills());
    }

    /** The number of attempts of a task that were killed for their memory. */
    int kills(int task) {
        Grown its = grown.isEmpty() ? null : grown.get(task);
        return its == null ? 0 : its.kills;
    }

    /** Records an out-of-memory kill. Returns whether the next attempt has a larger request. */
    boolean outOfMemory(int task) {
        long before = of(task).memory();
        setKills(task, kills(task) + 1);
        if (of(task).memory() > before) {
            return true;
        }
        setKills(task, kills(task) - 1);
        return false;
    }

    private void setKills(int task, int kills) {
        if (kills > 0) {
            Resources needed = workflow.resources(task);
            grown.put(task, new Grown(kills, needed.memory(growth(task).after(needed.memory(), kills))));
        } else {
            grown.remove(task);
        }
    }

    /** The rule of the run, with the task's own factor if it has one. */
    private MemoryGrowth growth(int task) {
        int percent = workflow.retry(task).memoryPercent();
        return percent == 0 ? growth : new MemoryGrowth(percent, growth.max() == 0 ? UNBOUNDED : growth.max());
    }

    /** What the running or next attempt of a task needs. */
    Resources of(int task) {
        Grown its = grown.isEmpty() ? null : grown.get(task);
        return its == null ? workflow.resources(task) : its.needs;
    }

    /** Records the run time of a completed task on its declared cores. */
    void addRunTime(int task, long millis) {
        if (observed == null) {
            addError(workflow.timeMillis(task), millis);
        } else {
            // A shorter run time than the limit is no estimation error.
            addError(workflow.timeMillis(task), Math.max(workflow.timeMillis(task), millis));
            observed.add(workflow, task, millis);
        }
    }

    private void addError(long expected, long millis) {
        long shorter = Math.min(expected, millis);
        if (expected >= TELLING && shorter > 0) {
            long percent = Math.min(MAX_ERROR, Math.abs(millis - expected) * ALL / shorter);
            runTimeError = (int) Math.max(runTimeError, percent);
        }
    }

    /** The remaining walltime that a task needs to be started, if the claim requires it to fit. One of unknown time takes longer than those of its category that were cut off. */
    long room(int task) {
        long allowed = workflow.timeMicros(task) == Workflow.UNKNOWN
                ? timeouts.longestLike(task, workflow)
                : workflow.timeMillis(task) + workflow.timeMillis(task) * runTimeError / ALL;
        long needed =
                Math.max(observed == null ? allowed : observed.bound(workflow, task, allowed), timeouts.atLeast(task));
        return Math.min(needed, longest);
    }
}
