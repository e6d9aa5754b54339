package io.sheaf.app.dashboard;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.dashboard.LiveRuns.LiveRun;
import io.sheaf.app.report.Explanation;
import io.sheaf.app.report.JobFigures;
import io.sheaf.app.report.RunChart;
import io.sheaf.app.report.StatusReport;
import io.sheaf.app.web.EventStream;
import io.sheaf.app.web.HttpRequest;
import io.sheaf.app.web.Reply;
import io.sheaf.app.web.Routes;
import io.sheaf.app.web.WebException;
import io.sheaf.manager.TaskState;
import io.sheaf.report.AttemptRecord;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.recorded.RunState;
import io.sheaf.runtime.recorded.RunStatus;
import io.sheaf.runtime.run.Requests;
import io.sheaf.runtime.spec.Service;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The API of runs under {@code /api}: lists, details, event streams and control requests.
 *
 * <p>In JSON, times are seconds since the start of the run, and unknown values are absent.
 */
record RunsApi(LiveRuns runs) {
    private static final long BETWEEN_MILLIS = 400;
    /** A queued run is sent again after this many checks, because times change. */
    private static final int QUIET = 10;

    /** Of the output of a task. */
    private static final int MAX_BYTES = 1 << 16;

    private static final int MAX_ATTEMPTS = 1000;

    Routes routes() {
        return new Routes()
                .on("GET", "/api/runs", request -> Reply.json(runs.list()))
                .on("GET", "/api/events", request -> Reply.stream(this::listChanges))
                .on("GET", "/api/runs/{id}", request -> Reply.json(run(request).read(RunsApi::status)))
                .on(
                        "GET",
                        "/api/runs/{id}/tasks",
                        request -> Reply.json(run(request).read((run, status) -> tasks(run))))
                .on(
                        "GET",
                        "/api/runs/{id}/jobs",
                        request -> Reply.json(run(request).read((run, status) -> jobs(run))))
                .on(
                        "GET",
                        "/api/runs/{id}/decisions",
                        request -> Reply.json(run(request).read((run, status) -> decisions(run))))
                .on("GET", "/api/runs/{id}/chart", this::chart)
                .on("GET", "/api/runs/{id}/log/{task}", this::log)
                .on("GET", "/api/runs/{id}/events", this::changes)
                .on("POST", "/api/runs/{id}/cancel", request -> request(request, true))
                .on("POST", "/api/runs/{id}/resume", request -> request(request, false));
    }

    private LiveRun run(HttpRequest request) throws IOException {
        return runs.find(request.path("id"));
    }

    /** The packed data of the chart, as elements of a page. */
    private Reply chart(HttpRequest request) throws IOException {
        StringWriter elements = new StringWriter();
        run(request).read((run, status) -> {
            new RunChart(elements).write(1, run.workflow().name(), run.record(run.now()));
            return status;
        });
        return Reply.of("text/html; charset=utf-8", elements.toString());
    }

    private Reply log(HttpRequest request) throws IOException {
        String stream = request.query("stream");
        if (stream != null && !stream.equals("out") && !stream.equals("err")) {
            throw new WebException(400, "stream: use out or err");
        }
        long attempt = request.number("attempt", 0, Integer.MAX_VALUE, -1);
        return Reply.text(
                run(request).read((run, status) -> output(run, request.path("task"), attempt, "err".equals(stream))));
    }

    /**
     * The output of a task's attempt, or its end if it is long.
     *
     * @param attempt its number; −1 for the last one with output
     */
    private static String output(RecordedRun run, String task, long attempt, boolean errors) throws IOException {
        int number = run.workflow().find(task);
        if (number < 0) {
            throw WebException.notFound("no such task: '" + task + "'");
        }
        int attemptNumber = (int) attempt;
        for (int i = 0; attempt < 0 && i < MAX_ATTEMPTS; i++) {
            attemptNumber = hasOutput(run, number, i) ? i : attemptNumber;
            if (attemptNumber >= 0 && !hasOutput(run, number, i + 1) && !hasOutput(run, number, i)) {
                break;
            }
        }
        Path file = attemptNumber < 0 ? null : run.log(number, attemptNumber, errors);
        if (file == null || !Files.isRegularFile(file)) {
            return "";
        }
        return tail(file);
    }

    private static boolean hasOutput(RecordedRun run, int task, int attempt) {
        return Files.isRegularFile(run.log(task, attempt, false)) || Files.isRegularFile(run.log(task, attempt, true));
    }

    private static String tail(Path file) throws IOException {
        try (FileChannel in = FileChannel.open(file)) {
            long from = Math.max(0, in.size() - MAX_BYTES);
            ByteBuffer text = ByteBuffer.allocate((int) Math.min(MAX_BYTES, in.size() - from));
            while (text.hasRemaining() && in.read(text, from + text.position()) >= 0) {
                // Continue reading.
            }
            String end = new String(text.array(), 0, text.position(), StandardCharsets.UTF_8);
            return from == 0 ? end : "… the last " + MAX_BYTES / 1024 + " KiB of " + in.size() / 1024 + " KiB:\n" + end;
        }
    }

    private void listChanges(EventStream to) throws IOException, InterruptedException {
        String sent = "";
        do {
            String list = runs.list();
            if (!list.equals(sent)) {
                sent = list;
                to.send("runs", list);
            }
        } while (to.pause(BETWEEN_MILLIS * 3));
    }

    private Reply changes(HttpRequest request) throws IOException {
        LiveRun live = run(request);
        return Reply.stream(to -> follow(live, to));
    }

    /** Sends the status on each change, and once more when the server stops. */
    private static void follow(LiveRun live, EventStream to) throws IOException, InterruptedException {
        long known = -1;
        RunState state = RunState.WAITING;
        int quiet = 0;
        boolean open = true;
        while (true) {
            record StatusUpdate(long records, RunState state, String json) {}
            StatusUpdate latest = live.read(
                    (run, status) -> new StatusUpdate(run.history().records(), status.state(), status(run, status)));
            quiet++;
            boolean changed = latest.records != known || latest.state != state;
            if (changed || (quiet >= QUIET && !latest.state.isFinished())) {
                known = latest.records;
                state = latest.state;
                quiet = 0;
                to.send("run", latest.json);
            }
            if (!open) {
                return;
            }
            open = to.pause(BETWEEN_MILLIS);
        }
    }

    /** Writes a control request for the manager, as the commands do. */
    private Reply request(HttpRequest request, boolean cancel) throws IOException {
        return run(request).read((run, status) -> {
            RunState state = status.state();
            if (state.isFinished()) {
                throw new WebException(409, "the run has already ended: " + state.word());
            }
            String owner = run.leaseHolder();
            if (!cancel && (state != RunState.PAUSED || owner == null)) {
                throw new WebException(
                        409,
                        owner == null
                                ? "no manager is running; continue with: sheaf resume " + run.folder()
                                : "the run is " + state.word() + ", not paused");
            }
            Requests requests = new Requests(run.folder());
            if (cancel) {
                requests.cancel();
            } else {
                requests.resume();
            }
            return Reply.json(202, JsonOut.line(out -> {
                out.field("id", RunFolders.id(run.folder())).field("asked", cancel ? "cancel" : "resume");
                if (owner == null) {
                    out.field("note", "no manager is running; cancel the run with: sheaf cancel " + run.folder());
                }
            }));
        });
    }

    /**
     * The status, with a letter for the state of each task: waiting, ready, running, done, failed, skipped as
     * {@code w y r d f s}.
     */
    private static String status(RecordedRun run, RunStatus status) throws IOException {
        RunRecord record = run.record(run.now());
        String owner = run.leaseHolder();
        int workflows = Service.of(run.folder()) == null
                ? 0
                : run.history().forest().parts().size();
        return JsonOut.line(out -> {
            out.field("id", RunFolders.id(run.folder()));
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
                    .field("states", states(run));
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
    private static String tasks(RecordedRun run) throws IOException {
        Workflow workflow = run.workflow();
        RunRecord record = run.record(run.now());
        AttemptRecord[] last = new AttemptRecord[workflow.size()];
        int[] attempts = new int[workflow.size()];
        for (AttemptRecord attempt : record.attempts()) {
            last[attempt.task()] = attempt;
            attempts[attempt.task()]++;
        }
        return JsonOut.line(out -> out.objects("tasks", workflow.size(), task -> {
            TaskState state = run.history().manager().state(task);
            out.field("id", workflow.id(task))
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
            out.end();
        }));
    }

    /** The pilot jobs, with expected and actual starts. */
    private static String jobs(RecordedRun run) throws IOException {
        RunRecord record = run.record(run.now());
        return JsonOut.line(out -> JobFigures.of(record.start()).array(out, "jobs", record.jobs()));
    }

    private static String decisions(RecordedRun run) throws IOException {
        return JsonOut.line(new Explanation(run.record(run.now()))::decisions);
    }
}
