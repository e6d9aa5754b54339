package io.sheaf.strategy;

import io.sheaf.manager.TaskGroup;
import io.sheaf.manager.View;
import java.util.List;
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
            long allStarted = sizing.queue().waitFor(together, cut.run);
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
        long longest = 0;
        for (TaskGroup group : groups) {
            longest = Math.max(longest, sizing.run(nodes, job.firstLevel(), job.lastLevel(), group));
        }
        return new VerticalSplit(groups, nodes, longest, sizing.queue().waitFor(nodes, longest));
    }
}
