package io.sheaf.manager;

import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Variants;
import io.sheaf.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/**
 * The cores of moldable tasks: their variants in primitive arrays, and the rule that chooses among them when a core is free.
 *
 * <h2>Idea</h2>
 * A good allotment balances two lower bounds of the makespan: the critical path and the work divided by all cores (Radulescu and van Gemund, "A low-cost approach towards mixed task and data parallel
 * scheduling", ICPP 2001). More cores shorten the path and, because speed-ups are less than linear, add work. The balance changes while a workflow runs, so the choice is made when a task is bound.
 *
 * <h2>Rule</h2>
 * <ol>
 *   <li>A task may use its <em>share</em> of the cores of all running jobs, in proportion to the cores that each ready or running task needs to balance both bounds: its work, divided by the greater bound
 *       without the path behind the task. So wide levels use few cores for each task, the last tasks of a level use many, and tasks of long paths more than others. If the free cores, divided among the
 *       ready tasks, are more than that, they count.
 *   <li>It uses at least the most cores that are used well: fewer would save little work, and a task that has started on few cores cannot use those of a job that starts later.
 *   <li>Up to its share the variant with the earliest end is chosen, on free cores or on cores that will be free when running tasks end. If that is later than now, the task waits.
 *   <li>If it cannot end before the walltime on these, it uses the fewest cores with which it can.
 * </ol>
 *
 * <p>The manager and the rollouts of plans use the same rule, so that plans predict what will be bound. Work counts on the fewest cores. Immutable.
 */
public final class Molding {
    /** A task starts on no fewer cores than those that are used by this part, compared with its fewest cores. */
    private static final double USED_WELL = 2.0 / 3;

    /** Variants first[task] … first[task + 1] − 1 belong to a task. */
    private final int[] first;

    private final int[] cores;
    private final int[] nodes;
    private final long[] millis;
    private final long[] declared;
    /** For each task the variant with the most cores that are used well. */
    private final int[] min;

    /** For each task the longest path behind it, on the fewest cores. */
    private final long[] behind;

    /** Core-milliseconds of all tasks. */
    private long allWork;

    private long maxWork;
    private long shortestPath;

    private Molding(Workflow workflow) {
        int size = workflow.size();
        first = new int[size + 1];
        for (int task = 0; task < size; task++) {
            Variants all = workflow.variants(task);
            first[task + 1] = first[task] + (all == null ? 1 : all.size());
        }
        cores = new int[first[size]];
        nodes = new int[first[size]];
        millis = new long[first[size]];
        declared = new long[size];
        behind = new long[size];
        min = new int[size];
        long[] shortest = new long[size];
        for (int i = size - 1; i >= 0; i--) {
            int task = workflow.inOrder(i);
            add(workflow, task);
            allWork += work(task);
            maxWork += cores[last(task)] * millis[last(task)];
            for (int c = 0; c < workflow.children(task); c++) {
                int child = workflow.child(task, c);
                behind[task] = Math.max(behind[task], path(child));
                shortest[task] = Math.max(shortest[task], shortest[child]);
            }
            shortest[task] += millis[last(task)];
            shortestPath = Math.max(shortestPath, shortest[task]);
        }
    }

    private void add(Workflow workflow, int task) {
        Variants all = workflow.variants(task);
        declared[task] = millis(workflow.timeMicros(task));
        for (int v = first[task]; v < first[task + 1]; v++) {
            int variant = v - first[task];
            Resources needed = all == null ? workflow.resources(task) : all.needs(variant);
            cores[v] = needed.cores() * needed.nodes();
            nodes[v] = needed.nodes();
            millis[v] = all == null ? declared[task] : millis(all.micros(variant));
        }
        min[task] = first[task];
        for (int v = first[task]; v < first[task + 1]; v++) {
            min[task] = USED_WELL * cores[v] * millis[v] <= work(task) ? v : min[task];
        }
    }

    /** The choices of a workflow; null if no task is moldable. */
    public static @Nullable Molding of(Workflow workflow) {
        return workflow.isMoldable() ? new Molding(workflow) : null;
    }

    private static long millis(long micros) {
        return (Math.max(0, micros) + 999) / 1000;
    }

    /** The first variant of a task: the one with the fewest cores. */
    public int first(int task) {
        return first[task];
    }

    /** The variant of a task with the most cores. */
    public int last(int task) {
        return first[task + 1] - 1;
    }

    public boolean isMoldable(int task) {
        return first[task + 1] - first[task] > 1;
    }

    /** The variant of a moldable task with the cores and nodes of an attempt; −1 if there is none. */
    public int find(int task, Resources attempt) {
        for (int v = first[task]; v < first[task + 1]; v++) {
            if (nodes[v] == attempt.nodes() && cores[v] == attempt.cores() * attempt.nodes()) {
                return v;
            }
        }
        return -1;
    }

    /** The cores of a variant on all its nodes. */
    public int cores(int variant) {
        return cores[variant];
    }

    public int nodes(int variant) {
        return nodes[variant];
    }

    /** What a time on the declared cores of a task is on those of a variant. */
    public long scaled(int task, int variant, long time) {
        return declared[task] == 0 || millis[variant] == declared[task]
                ? time
                : Math.round(time * ((double) millis[variant] / declared[task]));
    }

    /** Core-milliseconds of a task on its fewest cores. */
    public long work(int task) {
        return cores[first[task]] * millis[first[task]];
    }

    /** Core-milliseconds of all tasks on their fewest cores. */
    public long allWork() {
        return allWork;
    }

    /** The longest path from the start of a task to the end of the workflow on the fewest cores, in milliseconds. */
    public long path(int task) {
        return behind[task] + millis[first[task]];
    }

    /** The longest path from a task of which a part is left, in milliseconds. */
    public long path(int task, long work) {
        return behind[task] + work / cores[first[task]];
    }

    /**
     * The weight of core-milliseconds of a task: the cores that it needs if the workflow is to end within a time.
     *
     * @param within at least the path of the task
     */
    public double weight(int task, long work, double within) {
        return work / Math.max(1, within - behind[task]);
    }

    /** Core-milliseconds of all tasks on their most cores. */
    public long mostWork() {
        return maxWork;
    }

    /** The critical path with all tasks on their most cores, in milliseconds. */
    public long shortestPath() {
        return shortestPath;
    }

    /** The variant with the fewest cores on which a task starts in a job of some nodes. */
    public int minVariant(int task, int jobNodes) {
        int v = min[task];
        while (v > first[task] && nodes[v] > jobNodes) {
            v--;
        }
        return v;
    }

    /** The variant with the most cores up to a share, or with the fewest. */
    public int upTo(int task, double share) {
        int v = min[task];
        while (v < last(task) && cores[v + 1] <= share) {
            v++;
        }
        return v;
    }
}
