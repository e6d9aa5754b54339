package io.sheaf.app.run;

import io.sheaf.app.cli.Fields;
import io.sheaf.text.Rounded;

/**
 * The figures of a finished run; times in milliseconds.
 *
 * @param folder the run's folder; empty if nothing had to run
 * @param kept up-to-date tasks of the workflow that were not part of the run
 * @param failures names of failed tasks
 * @param waited total queue wait of all pilot jobs
 * @param overlapped the part of it during which another pilot job ran
 * @param usedNodeMillis node time of tasks
 * @param allocatedNodeMillis node time of pilot jobs
 */
record RunSummary(
        String folder,
        int tasks,
        int kept,
        int done,
        int failed,
        int skipped,
        String failures,
        int retries,
        long makespan,
        long waited,
        long overlapped,
        long usedNodeMillis,
        long allocatedNodeMillis) {
    static final Fields<RunSummary> FIGURES = new Fields<RunSummary>()
            .field((out, run) -> out.field("folder", run.folder)
                    .field("tasks", run.tasks)
                    .field("kept", run.kept)
                    .field("done", run.done)
                    .field("failed", run.failed)
                    .field("skipped", run.skipped)
                    .field("attemptsAgain", run.retries))
            .left(
                    "tasks",
                    run -> run.done + " done, " + run.failed + " failed, " + run.skipped + " skipped"
                            + (run.notRun() == 0 ? "" : ", " + run.notRun() + " not run") + " of " + run.tasks
                            + (run.kept == 0 ? "" : "; " + run.kept + " up to date"))
            .left("failed", run -> run.failed == 0 ? "" : run.failures + "; output in " + run.folder + "/logs")
            .time("makespan", "makespanSeconds", RunSummary::makespan)
            .left(
                    "queue wait",
                    run -> Rounded.time(run.waited) + " (" + Rounded.time(run.overlapped)
                            + " overlapped with running jobs)")
            .time("waitSeconds", RunSummary::waited)
            .time("waitWhileRunningSeconds", RunSummary::overlapped)
            .left(
                    "node-hours",
                    run -> Rounded.hours(run.allocatedNodeMillis) + " allocated, " + Rounded.hours(run.usedNodeMillis)
                            + " used")
            .nodeHours("nodeHoursUsed", 4, RunSummary::usedNodeMillis)
            .nodeHours("nodeHoursHeld", 4, RunSummary::allocatedNodeMillis)
            .left("retries", run -> Integer.toString(run.retries))
            .left("record", run -> run.folder + "/record.json")
            .left("explanation", run -> "sheaf explain " + run.folder);

    /** The tasks that a failure or a cancellation of the run left undone. */
    private int notRun() {
        return tasks - done - failed - skipped;
    }
}
