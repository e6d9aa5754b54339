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
 * @param why why it could not complete; empty if it did
 * @param lastLevelEnd when the last task of the last level ended, which is what some publications call the end
 * @param waitMillis the sum of the waits of all pilot jobs that started
 * @param perceivedWaitMillis the time during which no pilot job was running
 * @param usedNodeMillis node time in which tasks ran that were then done
 * @param heldNodeMillis node time from the start to the end of pilot jobs
 * @param pilotJobs what became of each, in order of submission; empty unless asked for
 * @param attempts all attempts of tasks, in order of their ends; empty unless asked for
 * @param others how much longer others waited; unknown unless asked for
 */
public record SimulatedRun(
        boolean completed,
        String why,
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
        List<Job> pilotJobs,
        List<Attempt> attempts,
        OthersWait others) {
    /** A run that ended by an error of the program, of which nothing else is known. */
    public static SimulatedRun broken(long start, String why) {
        return new SimulatedRun(
                false, why, start, start, start, 0, 0, 0, 0, 0, 0, 0, List.of(), List.of(), OthersWait.UNKNOWN);
    }

    public long makespanMillis() {
        return end - start;
    }

    /** The same run with more known about its pilot jobs. */
    public SimulatedRun withPilotJobs(List<Job> jobs) {
        return with(List.copyOf(jobs), others);
    }

    /** The same run, with what it cost the others. */
    public SimulatedRun withOthers(OthersWait wait) {
        return with(pilotJobs, wait);
    }

    private SimulatedRun with(List<Job> jobs, OthersWait wait) {
        return new SimulatedRun(
                completed,
                why,
                start,
                end,
                lastLevelEnd,
                waitMillis,
                perceivedWaitMillis,
                usedNodeMillis,
                heldNodeMillis,
                jobsSubmitted,
                jobsExpired,
                tasksRerun,
                jobs,
                attempts,
                wait);
    }

    /** The record of a run for which pilot jobs and attempts were asked for. */
    public RunRecord record(Workflow workflow, String strategy, int nodes, int coresPerNode, List<Decided> decisions) {
        return new RunRecord(
                workflow, strategy, nodes, coresPerNode, completed, start, end, pilotJobs, attempts, decisions);
    }
}
