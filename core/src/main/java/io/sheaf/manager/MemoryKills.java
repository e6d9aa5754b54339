package io.sheaf.manager;

import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.Map;
import java.util.TreeMap;

/** Attempts that were killed because they exceeded their memory request, and the grown requests of their tasks. */
final class MemoryKills {
    /** Where the memory of nodes is unknown. */
    private static final long UNBOUNDED = 1L << 50;

    private record Grown(int kills, Resources needs) {}

    private final MemoryGrowth growth;
    private final Map<Integer, Grown> tasks = new TreeMap<>();

    MemoryKills(MemoryGrowth growth) {
        this.growth = growth;
    }

    MemoryKills(MemoryKills source) {
        this(source.growth);
        tasks.putAll(source.tasks);
    }

    /** Records a kill. Returns whether the next attempt has a larger request. */
    boolean add(Workflow workflow, int task) {
        long before = needs(workflow, task).memory();
        restore(workflow, task, kills(task) + 1);
        if (needs(workflow, task).memory() > before) {
            return true;
        }
        restore(workflow, task, kills(task) - 1);
        return false;
    }

    void restore(Workflow workflow, int task, int kills) {
        if (kills > 0) {
            Resources needed = workflow.resources(task);
            tasks.put(
                    task, new Grown(kills, needed.memory(growth(workflow, task).after(needed.memory(), kills))));
        } else {
            tasks.remove(task);
        }
    }

    /** The rule of the run, with the task's own factor if it has one. */
    private MemoryGrowth growth(Workflow workflow, int task) {
        int percent = workflow.retry(task).memoryPercent();
        return percent == 0 ? growth : new MemoryGrowth(percent, growth.max() == 0 ? UNBOUNDED : growth.max());
    }

    int kills(int task) {
        Grown grown = tasks.isEmpty() ? null : tasks.get(task);
        return grown == null ? 0 : grown.kills;
    }

    /** What the next or running attempt of a task needs. */
    Resources needs(Workflow workflow, int task) {
        Grown grown = tasks.isEmpty() ? null : tasks.get(task);
        return grown == null ? workflow.resources(task) : grown.needs;
    }

    @Override
    public String toString() {
        return tasks.isEmpty() ? "" : "grown " + tasks + "\n";
    }
}
