package io.sheaf.app.queue;

import io.sheaf.agent.link.DaemonThread;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.run.Clusters;
import io.sheaf.app.run.RunCommand;
import io.sheaf.manager.ExpectedTasks;
import io.sheaf.runtime.control.SingleTask;
import io.sheaf.runtime.queue.StateLog;
import io.sheaf.runtime.queue.TaskPhase;
import io.sheaf.runtime.queue.TaskQueue;
import io.sheaf.runtime.queue.TaskReport;
import io.sheaf.runtime.run.RunFiles;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.text.CoresText;
import io.sheaf.text.InputException;
import io.sheaf.text.SizeText;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Resources;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A connection of a program to a task queue: it reads requests and writes changes of task states, as JSON lines.
 *
 * <p>A request is {@code {"submit": [TASK, …]}}, {@code {"cancel": [ID, …]}}, {@code {"expect": [{"tasks": N, "time":
 * TIME, "cores": N}, …]}} or {@code {"end": []}}. Tasks of one request with the same folder form one durable
 * submission. The answer is {@code {"accepted": [ID, …]}} once they are durable. {@code
 * {"task": ID, "state": STATE}} reports each change of state, with a {@code reason} for a failure.
 *
 * <p>States come from the queue's log, so any manager of the queue serves; if it is killed, the stream starts
 * another. The caller's thread reads requests, a second thread watches states.
 */
final class TaskStream {
    /** The protocol version; a client rejects another. */
    static final int PROTOCOL = 1;

    private static final long POLL_MILLIS = 5_000;
    private static final long FULL_MILLIS = 50;

    private final TaskQueue queue;
    private final RunSpec spec;
    private final QueueManager manager;
    private final String idle;
    private final PrintWriter out;
    /** The queue's specification, which distinguishes the queue from another one at the same path. */
    private final byte[] made;
    /** Whether the program expects to submit more tasks. */
    private boolean expects;
    /** Whether the queue ends with the input, so that the program can remove its folder. */
    private boolean ends;
    /** The last error of a poll, which is printed once. */
    private String problem = "";
    /** The unfinished tasks, with the last reported state of each. */
    private final Map<String, TaskPhase> open = new ConcurrentHashMap<>();

    TaskStream(TaskQueue queue, RunSpec spec, QueueManager manager, String idle, PrintWriter out) throws IOException {
        this.queue = queue;
        this.spec = spec;
        this.manager = manager;
        this.idle = idle;
        this.out = out;
        made = Files.readAllBytes(RunFiles.specification(queue.run()));
    }

    /** Serves requests until the end of the input; submitted tasks continue unless the queue ends, too. */
    void serve(BufferedReader requests) throws IOException, InterruptedException {
        Path folder = queue.folder();
        try (WatchService watch = folder.getFileSystem().newWatchService()) {
            folder.register(watch, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
            Thread watcher = DaemonThread.of("task states", () -> watch(watch));
            watcher.start();
            try {
                answer(requests);
            } finally {
                watcher.interrupt();
                watcher.join();
            }
            if (ends && !isRemoved()) {
                manager.end();
            }
        }
    }

    private void answer(BufferedReader requests) throws IOException, InterruptedException {
        int number = 1;
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            try {
                if (!line.isBlank()) {
                    answer(TaskRequest.read(line));
                }
            } catch (InputException e) {
                throw e.in("standard input, line " + number);
            }
            number++;
        }
        if (expects) {
            queue.inbox().expect(List.of());
        }
    }

    /** Whether the queue was removed or replaced by another one. */
    private boolean isRemoved() throws IOException {
        try {
            return !Arrays.equals(made, Files.readAllBytes(RunFiles.specification(queue.run())));
        } catch (NoSuchFileException e) {
            return true;
        }
    }

    private void answer(TaskRequest request) throws IOException, InterruptedException {
        if (isRemoved()) {
            throw new InputException("the queue's folder was removed; connect again")
                    .in(queue.run().resolveSibling("").toString());
        }
        ends |= request.end();
        if (request.expect() != null) {
            expects = !request.expect().isEmpty();
            queue.inbox()
                    .expect(request.expect().stream()
                            .map(each -> new ExpectedTasks(each.tasks(), TimeText.millis(each.time()), each.cores()))
                            .toList());
        }
        Map<String, List<SingleTask>> byFolder = new LinkedHashMap<>();
        for (TaskRequest.Task task : request.submit()) {
            try {
                SingleTask single = checked(task);
                open.put(single.id(), TaskPhase.WAITING);
                byFolder.computeIfAbsent(single.folder(), folder -> new ArrayList<>())
                        .add(single);
            } catch (InputException e) {
                write(task.id(), TaskPhase.FAILED, e.getMessage());
            }
        }
        for (List<SingleTask> tasks : byFolder.values()) {
            while (queue.inbox().isFull()) {
                manager.ensure(idle);
                Thread.sleep(FULL_MILLIS);
            }
            queue.putAll(RunCommand.newId(), tasks);
        }
        for (String id : request.cancel()) {
            if (open.containsKey(id)) {
                queue.drop(id);
            }
        }
        if (!request.end()) {
            manager.ensure(idle);
        }
        if (!byFolder.isEmpty()) {
            line(json -> {
                json.array("accepted");
                byFolder.values().forEach(tasks -> tasks.forEach(task -> json.value(task.id())));
                json.end();
            });
        }
    }

    /** Converts a task, and checks that the queue can run it and knows its dependencies. */
    private SingleTask checked(TaskRequest.Task task) throws IOException {
        Resources needed = Resources.of(
                CoresText.millicores(task.cores()), SizeText.bytes(task.memory()), task.gpus(), task.nodes());
        String excess = Clusters.unavailable(needed, spec);
        if (excess != null) {
            throw new InputException("the task needs " + excess);
        }
        for (String parent : task.after()) {
            if (!open.containsKey(parent)) {
                queue.report(parent);
            }
        }
        long time = TimeText.micros(task.time());
        long limit = task.limit() == null ? SingleTask.NO_LIMIT : TimeText.micros(task.limit());
        return task.single(needed, time, limit);
    }

    private void watch(WatchService watch) {
        try {
            StateLog log = queue.stateLog();
            long polledAt = System.nanoTime();
            while (!Thread.currentThread().isInterrupted()) {
                WatchKey key = watch.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
                boolean written = false;
                if (key != null) {
                    for (WatchEvent<?> event : key.pollEvents()) {
                        written |= !(event.context() instanceof Path file) || file.equals(log.name());
                    }
                    key.reset();
                }
                // Polls as well: network file systems report no events.
                boolean due = System.nanoTime() - polledAt > TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS);
                if (written || due) {
                    attempt(() -> report(log));
                }
                if (due) {
                    polledAt = System.nanoTime();
                    attempt(this::check);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A part of a poll. */
    @FunctionalInterface
    private interface PollStep {
        void run() throws IOException, InterruptedException;
    }

    /**
     * Runs a part of a poll. If it fails, for example while a file system is unavailable, the next poll repeats it.
     */
    private void attempt(PollStep step) throws InterruptedException {
        try {
            step.run();
        } catch (IOException | InputException e) {
            String text = String.valueOf(e.getMessage());
            if (!text.equals(problem)) {
                manager.session().note(text);
                problem = text;
            }
        }
    }

    /** Starts a manager if it was killed; ends the tasks of a removed queue. */
    private void check() throws IOException, InterruptedException {
        List<String> ids = List.copyOf(open.keySet());
        if (!ids.isEmpty() && isRemoved()) {
            ids.forEach(id -> write(id, TaskPhase.FAILED, "the queue's folder was removed"));
            open.keySet().removeAll(ids);
        } else if (!ids.isEmpty()) {
            manager.ensure(idle);
        }
    }

    /** Reports the states that the manager has added to the log, for each task only the last one. */
    private void report(StateLog log) throws IOException {
        Map<String, TaskReport> last = new LinkedHashMap<>();
        log.follow(last::put);
        last.forEach((id, report) -> {
            TaskPhase before = open.get(id);
            if (before != null && before != report.phase()) {
                if (report.phase().isFinished()) {
                    open.remove(id);
                } else {
                    open.replace(id, report.phase());
                }
                write(id, report.phase(), report.why());
            }
        });
    }

    private void write(String id, TaskPhase phase, String reason) {
        line(json -> json.field("task", id).field("state", phase.word()).optional("reason", reason));
    }

    private void line(Consumer<JsonOut> fields) {
        String text = JsonOut.line(fields);
        synchronized (out) {
            out.print(text);
            out.flush();
        }
    }
}
