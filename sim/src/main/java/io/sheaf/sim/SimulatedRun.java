package io.sheaf.sim;

import io.sheaf.report.AttemptRecord;
import io.sheaf.report.DecisionRecord;
import io.sheaf.report.JobRecord;
import io.sheaf.report.RunRecord;
import io.sheaf.workflow.Workflow;
import java.util.List;

/**
 * The result of a simulated run of a workflow; times in milliseconds of the log's clock.
 *
 * @param completed whether every task was done
 * @param reason the reason why it did not complete; empty if it did
 * @param lastLevelEnd the end of the last task of the last level, which some publications use as the end
 * @param waitMillis the total queue wait of all pilot jobs that started
 * @param perceivedWaitMillis the time during which no pilot job was running
 * @param usedNodeMillis node time of successful attempts
 * @param allocatedNodeMillis node time from the start to the end of pilot jobs
 * @param jobsCancelledQueued pilot jobs that ended before they started
 * @param givenBackNodeMillis node time of started pilot jobs between their end and their walltime
 * @param pilotJobs the record of each, in order of submission; empty unless requested
 * @param attempts all attempts of tasks, in order of their ends; empty unless requested
 * @param background the increase of the background jobs' waits; unknown unless requested
 */
public record SimulatedRun(
        boolean completed,
        String reason,
        long start,
        long end,
        long lastLevelEnd,
        long waitMillis,
        long perceivedWaitMillis,
        long usedNodeMillis,
        long allocatedNodeMillis,
        int jobsSubmitted,
        int jobsExpired,
        int tasksRerun,
        int jobsCancelledQueued,
        long givenBackNodeMillis,
        List<JobRecord> pilotJobs,
        List<AttemptRecord> attempts,
        BackgroundWait background) {
    /** A run that ended with a program error. */
    public static SimulatedRun broken(long start, String reason) {
        return new SimulatedRun(
                false,
                reason,
                start,
                start,
                start,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                List.of(),
                List.of(),
                BackgroundWait.UNKNOWN);
    }

    public long makespanMillis() {
        return end - start;
    }

    /** The same with other records of pilot jobs and another wait of background jobs. */
    public SimulatedRun with(List<JobRecord> jobs, BackgroundWait wait) {
        return new SimulatedRun(
                completed,
                reason,
                start,
                end,
                lastLevelEnd,
                waitMillis,
                perceivedWaitMillis,
                usedNodeMillis,
                allocatedNodeMillis,
                jobsSubmitted,
                jobsExpired,
                tasksRerun,
                jobsCancelledQueued,
                givenBackNodeMillis,
                List.copyOf(jobs),
                attempts,
                wait);
    }

    /** The record of a run with pilot jobs and attempts. */
    public RunRecord record(
            Workflow workflow, String strategy, int nodes, int coresPerNode, List<DecisionRecord> decisions) {
        return new RunRecord(
                workflow, strategy, nodes, coresPerNode, completed, start, end, pilotJobs, attempts, decisions);
    }
}
