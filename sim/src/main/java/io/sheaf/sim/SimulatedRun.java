package io.sheaf.sim;

import io.sheaf.report.Attempt;
import io.sheaf.report.Decided;
import io.sheaf.report.Job;
import io.sheaf.report.RunRecord;
import io.sheaf.workflow.Workflow;
import java.util.List;

/**
 * What a simulated run of a workflow came to; times in milliseconds of the log's clock.
 *
 * @param completed whether every task was done
 * @param lastLevelEnd when the last task of the last level ended, which is what some publications call the end
 * @param waitMillis the sum of the waits of all placeholders that started
 * @param perceivedWaitMillis the time during which no placeholder was running
 * @param usedNodeMillis node time in which tasks ran that were then done
 * @param heldNodeMillis node time from the start to the end of placeholders
 * @param placeholders what became of each, in order of submission; empty unless asked for
 * @param attempts all attempts of tasks, in order of their ends; empty unless asked for
 */
public record SimulatedRun(
        boolean completed,
        long start,
        long end,
        long lastLevelEnd,
        long waitMillis,
        long perceivedWaitMillis,
        long usedNodeMillis,
        long heldNodeMillis,
        int jobsSubmitted,
        int jobsExpired,
        int tasksRerun,
        List<Job> placeholders,
        List<Attempt> attempts) {
    public long makespanMillis() {
        return end - start;
    }

    /** The record of a run for which placeholders and attempts were asked for. */
    public RunRecord record(Workflow workflow, String strategy, int nodes, int coresPerNode, List<Decided> decisions) {
        return new RunRecord(
                workflow, strategy, nodes, coresPerNode, completed, start, end, placeholders, attempts, decisions);
    }
}
