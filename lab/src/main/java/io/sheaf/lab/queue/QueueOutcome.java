package io.sheaf.lab.queue;

import io.sheaf.lab.experiment.Csv;
import io.sheaf.lab.experiment.RowColumns;
import io.sheaf.report.JobRecord;
import io.sheaf.sim.BackgroundWait;
import io.sheaf.sim.SimulatedRun;
import java.util.List;
import java.util.function.Function;

/**
 * The outcome of a run, as columns of the table. A failed run has {@code completed} 0; its makespan is the time until it was given up.
 *
 * @param start in milliseconds after the beginning of the replayed period
 * @param bound the lower bound of the makespan, in milliseconds
 * @param starts expected against actual starts of pilot jobs; written only if the setting requests it
 */
record QueueOutcome(QueueSetting setting, long start, long bound, SimulatedRun run, StartErrors starts) {
    static final RowColumns<QueueOutcome> COLUMNS = new RowColumns<QueueOutcome>()
            .add("start_seconds", o -> Csv.seconds(o.start))
            .add("completed", o -> o.run.completed() ? "1" : "0")
            .add("makespan_seconds", o -> Csv.seconds(o.makespan()))
            .add("lower_bound_seconds", o -> Csv.seconds(o.bound))
            .add("wait_seconds", o -> Csv.seconds(o.run.waitMillis()))
            .add("perceived_wait_seconds", o -> Csv.seconds(o.run.perceivedWaitMillis()))
            .add("held_node_seconds", o -> Csv.seconds(o.run.allocatedNodeMillis()))
            .add("used_node_seconds", o -> Csv.seconds(o.run.usedNodeMillis()))
            .add("jobs", o -> Integer.toString(o.run.jobsSubmitted()))
            .add("expired", o -> Integer.toString(o.run.jobsExpired()))
            .add("reruns", o -> Integer.toString(o.run.tasksRerun()))
            .add("foreseen_jobs", o -> o.starts(s -> Integer.toString(s.jobs)))
            .add("foreseen_wait_seconds", o -> o.starts(s -> Csv.seconds(s.expectedWait)))
            .add("foreseen_actual_seconds", o -> o.starts(s -> Csv.seconds(s.actualWait)))
            .add("start_error_seconds", o -> o.starts(s -> Csv.seconds(s.error)))
            .add("on_time_jobs", o -> o.starts(s -> Integer.toString(s.onTime)))
            .add("background_jobs", o -> o.others(wait -> Integer.toString(wait.jobs())))
            .add("background_wait_delta_seconds", o -> o.others(wait -> Csv.number(wait.meanSeconds(), 3)))
            .add("cancelled_queued", o -> Integer.toString(o.run.jobsCancelledQueued()))
            .add("given_back_node_seconds", o -> Csv.seconds(o.run.givenBackNodeMillis()))
            .add("failure", o -> Csv.reason(o.run.reason()));

    QueueOutcome(QueueSetting setting, long start, long bound, SimulatedRun run) {
        this(setting, start, bound, run, StartErrors.of(run.pilotJobs()));
    }

    /** The makespan in milliseconds, as the conventions of the setting define it. */
    long makespan() {
        return run.completed() ? setting.conventions().makespanMillis(run) : run.makespanMillis();
    }

    private String starts(Function<StartErrors, String> column) {
        return setting.expectedStarts() ? column.apply(starts) : "";
    }

    private String others(Function<BackgroundWait, String> column) {
        return run.background().isKnown() ? column.apply(run.background()) : "";
    }

    /**
     * The errors of start-time estimates at submission, over the pilot jobs that started and had an estimate; times in milliseconds.
     *
     * @param expectedWait sum of the expected queue waits
     * @param actualWait sum of the actual queue waits
     * @param error sum of the absolute differences
     * @param onTime the number of jobs that started within a twentieth of the expected wait, or within a minute
     */
    record StartErrors(int jobs, long expectedWait, long actualWait, long error, int onTime) {
        private static final long TWENTIETH = 20;
        private static final long MINUTE = 60_000;

        static StartErrors of(List<JobRecord> pilotJobs) {
            int jobs = 0;
            long expected = 0;
            long actual = 0;
            long error = 0;
            int onTime = 0;
            for (JobRecord job : pilotJobs) {
                if (job.hasStarted() && job.wasExpected()) {
                    long wait = job.expectedStart() - job.submitted();
                    long off = Math.abs(job.started() - job.expectedStart());
                    jobs++;
                    expected += wait;
                    actual += job.started() - job.submitted();
                    error += off;
                    onTime += off <= Math.max(MINUTE, wait / TWENTIETH) ? 1 : 0;
                }
            }
            return new StartErrors(jobs, expected, actual, error, onTime);
        }
    }
}
