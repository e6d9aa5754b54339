package io.sheaf.app.dashboard;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.report.Explanation;
import io.sheaf.app.report.JobFigures;
import io.sheaf.app.report.StatusReport;
import io.sheaf.manager.TaskState;
import io.sheaf.report.AttemptRecord;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.recorded.RunStatus;
import io.sheaf.runtime.spec.Service;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.util.Locale;

/** A run as JSON; times in seconds since the start of the run, unknown values are absent. */
final class RunJson {
    private RunJson() {}

    /**
     * The status, with a letter for the state of each task: waiting, ready, running, done, failed, skipped as
     * {@code w y r d f s}.
     */
    static String status(RecordedRun run, RunStatus status) throws IOException {
        RunRecord record = LiveRun.record(run);
        String owner = run.leaseHolder();
        int workflows = Service.of(run.folder()) == null
                ? 0
                : run.history().forest().parts().size();
        return JsonOut.line(out -> {
            out.object().field("id", RunFolders.id(run.folder()));
            StatusReport.fields(out, run, status, record, owner, null);
            if (!status.state().isFinished()) {
                // Until now; the status of an ended run has its makespan.
                out.seconds("makespanSeconds", record.makespanMillis() * 1000);
            }
            Explanation.firstExpectedEnd(record)
                    .ifPresent(end -> out.seconds("expectedMakespanSeconds", (end - record.start()) * 1000));
            out.seconds("waitSeconds", record.waitMillis() * 1000)
                    .seconds("nothingRunningSeconds", record.perceivedWaitMillis() * 1000)
                    .field("nodes", record.nodes())
                    .field("coresPerNode", record.coresPerNode())
                    .field("on", run.spec().where().system())
                    .field("records", run.history().records())
                    .field("jobs", record.jobs().size())
                    .field("decisions", record.decisions().size())
                    .field("workflows", workflows)
                    .field("states", states(run))
                    .end();
        });
    }

    private static String states(RecordedRun run) {
        StringBuilder letters = new StringBuilder();
        for (int task = 0; task < run.workflow().size(); task++) {
            letters.append(
                    switch (run.history().manager().state(task)) {
                        case WAITING -> 'w';
                        case READY -> 'y';
                        case RUNNING -> 'r';
                        case DONE -> 'd';
                        case FAILED -> 'f';
                        case SKIPPED -> 's';
                    });
        }
        return letters.toString();
    }

    /** The workflow's tasks in order, with their positions and states. */
    static String tasks(RecordedRun run) throws IOException {
        Workflow workflow = run.workflow();
        RunRecord record = LiveRun.record(run);
        AttemptRecord[] last = new AttemptRecord[workflow.size()];
        int[] attempts = new int[workflow.size()];
        for (AttemptRecord attempt : record.attempts()) {
            last[attempt.task()] = attempt;
            attempts[attempt.task()]++;
        }
        return JsonOut.line(out -> {
            out.object().array("tasks");
            for (int task = 0; task < workflow.size(); task++) {
                TaskState state = run.history().manager().state(task);
                out.object()
                        .field("id", workflow.id(task))
                        .field("category", workflow.category(task).name())
                        .field("level", workflow.level(task))
                        .field("state", state.name().toLowerCase(Locale.ROOT))
                        .field("attempts", attempts[task]);
                if (workflow.timeMicros(task) != Workflow.UNKNOWN) {
                    out.seconds("expectedSeconds", workflow.timeMicros(task));
                }
                AttemptRecord attempt = last[task];
                if (attempt != null) {
                    out.field("job", attempt.token())
                            .seconds("startSeconds", (attempt.started() - record.start()) * 1000)
                            .seconds("ranSeconds", (attempt.ended() - attempt.started()) * 1000);
                }
                out.array("parents");
                for (int i = 0; i < workflow.parents(task); i++) {
                    out.value(workflow.parent(task, i));
                }
                out.end().end();
            }
            out.end().end();
        });
    }

    /** The pilot jobs, with expected and actual starts. */
    static String jobs(RecordedRun run) throws IOException {
        RunRecord record = LiveRun.record(run);
        return JsonOut.line(out -> {
            out.object();
            JobFigures.of(record.start()).array(out, "jobs", record.jobs());
            out.end();
        });
    }

    static String decisions(RecordedRun run) throws IOException {
        RunRecord record = LiveRun.record(run);
        return JsonOut.line(out -> {
            out.object();
            new Explanation(record).decisions(out);
            out.end();
        });
    }
}
