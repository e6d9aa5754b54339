package io.sheaf.strategy;

import io.sheaf.manager.TaskGroup;
import io.sheaf.manager.View;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A split of a job of some levels into concurrent jobs, each for some of its {@linkplain SubWorkflows independent sub-workflows} (GLUME thesis, 8.2,
 * second direction).
 *
 * <h2>Which split</h2>
 * A job of n nodes may become k jobs of ⌈n/k⌉ nodes, for the run time r of the longest of them. Estimates are for single jobs, but k such jobs run at
 * the latest when k · ⌈n/k⌉ nodes are free together for r. A split is accepted if by that bound it ends no later than the single job, and its first
 * job starts earlier. Of several, the one whose first job starts earliest is chosen, then the one with the fewest jobs.
 *
 * @param groups the tasks of each job
 * @param nodes of each
 * @param run the run time of the longest of them
 * @param queueWait until the first of them would start
 */
record VerticalSplit(List<TaskGroup> groups, int nodes, long run, long queueWait) {
    /** The maximum number of concurrent jobs; more gain little and fill the cap. */
    private static final int MAX = 8;

    /** The best split of a job; null if none is accepted. */
    static @Nullable VerticalSplit of(LevelJob job, View view, Sizing sizing, long delay) {
        SubWorkflows parts = new SubWorkflows(view, job.firstLevel(), job.lastLevel());
        int limit = Math.min(Math.min(MAX, parts.count()), view.cap() - view.pilotJobs());
        long end = Allocation.end(delay, job.queueWait(), job.run());
        VerticalSplit best = null;
        for (int k = 2; k <= limit; k++) {
            VerticalSplit cut = cut(k, parts, job, sizing);
            int together = k * cut.nodes;
            if (together > view.nodes()) {
                continue;
            }
            long allStarted = sizing.queue.waitFor(together, cut.run);
            long before = best == null ? job.queueWait() : best.queueWait;
            boolean earlier = Math.max(delay, cut.queueWait) < Math.max(delay, before);
            if (earlier && Allocation.end(delay, allStarted, cut.run) <= end) {
                best = cut;
            }
        }
        return best;
    }

    private static VerticalSplit cut(int k, SubWorkflows parts, LevelJob job, Sizing sizing) {
        List<TaskGroup> groups = parts.groups(k);
        int nodes = Math.max((job.nodes() + k - 1) / k, sizing.minNodes(job.firstLevel(), job.lastLevel()));
        long longest = groups.stream()
                .mapToLong(group -> sizing.run(nodes, job.firstLevel(), job.lastLevel(), group))
                .reduce(0, Math::max);
        return new VerticalSplit(groups, nodes, longest, sizing.queue.waitFor(nodes, longest));
    }

    /**
     * The independent sub-workflows of the unfinished tasks of some levels: the connected components of their graph. In a single level each task is one.
     */
    private static final class SubWorkflows {
        private final Workflow workflow;
        /** The unfinished tasks by sub-workflow, those with the most work first. */
        private final List<int[]> parts;

        SubWorkflows(View view, int firstLevel, int lastLevel) {
            workflow = view.workflow();
            int[] tasks = left(view, firstLevel, lastLevel);
            int[] root = new int[workflow.size()];
            Arrays.fill(root, -1);
            for (int task : tasks) {
                root[task] = task;
            }
            for (int task : tasks) {
                for (int c = 0; c < workflow.children(task); c++) {
                    int child = workflow.child(task, c);
                    if (root[child] >= 0) {
                        join(root, task, child);
                    }
                }
            }
            parts = gather(root, tasks);
            // Stable: of equal ones the one with the lowest task first.
            parts.sort((a, b) -> Long.compare(work(b), work(a)));
        }

        int count() {
            return parts.size();
        }

        /** Distributes them to groups of similar work: each in turn to the group with the least. */
        List<TaskGroup> groups(int number) {
            long[] work = new long[number];
            int[] size = new int[number];
            int[] groupOf = new int[parts.size()];
            for (int i = 0; i < parts.size(); i++) {
                int min = 0;
                for (int g = 1; g < number; g++) {
                    min = work[g] < work[min] ? g : min;
                }
                groupOf[i] = min;
                // A part of no time counts a little, so that no group stays empty.
                work[min] += Math.max(Resources.CORE, work(parts.get(i)));
                size[min] += parts.get(i).length;
            }
            List<TaskGroup> groups = new ArrayList<>();
            for (int g = 0; g < number; g++) {
                int[] tasks = new int[size[g]];
                int at = 0;
                for (int i = 0; i < groupOf.length; i++) {
                    if (groupOf[i] == g) {
                        System.arraycopy(parts.get(i), 0, tasks, at, parts.get(i).length);
                        at += parts.get(i).length;
                    }
                }
                groups.add(TaskGroup.of(tasks));
            }
            return groups;
        }

        private static int[] left(View view, int firstLevel, int lastLevel) {
            Workflow workflow = view.workflow();
            return IntStream.range(0, workflow.size())
                    .filter(task -> workflow.level(task) >= firstLevel && workflow.level(task) <= lastLevel)
                    .filter(task -> !view.isDone(task))
                    .toArray();
        }

        private static void join(int[] root, int a, int b) {
            int first = find(root, a);
            int second = find(root, b);
            // The lowest task is the root, whatever the order of joining.
            root[Math.max(first, second)] = Math.min(first, second);
        }

        private static int find(int[] root, int task) {
            int at = task;
            while (root[at] != at) {
                root[at] = root[root[at]];
                at = root[at];
            }
            return at;
        }

        private static List<int[]> gather(int[] root, int[] tasks) {
            int[] size = new int[root.length];
            for (int task : tasks) {
                size[find(root, task)]++;
            }
            List<int[]> parts = new ArrayList<>();
            int[] partOf = new int[root.length];
            int[] filled = new int[tasks.length];
            for (int task : tasks) {
                int r = find(root, task);
                if (r == task) {
                    partOf[r] = parts.size();
                    parts.add(new int[size[r]]);
                }
                // The root is the lowest task, so it has come before.
                int part = partOf[r];
                parts.get(part)[filled[part]++] = task;
            }
            return parts;
        }

        /** In milliseconds of a thousandth of a core. */
        private long work(int[] tasks) {
            long sum = 0;
            for (int task : tasks) {
                Resources needed = workflow.resources(task);
                sum += workflow.timeMillis(task) * needed.millicores() * needed.nodes();
            }
            return sum;
        }
    }
}
