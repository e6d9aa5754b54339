package io.sheaf.nextflow;

import groovy.json.JsonException;
import groovy.json.JsonOutput;
import groovy.json.JsonSlurper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import nextflow.exception.AbortOperationException;
import org.jspecify.annotations.Nullable;

/**
 * The connection to a queue: one {@code sheaf task-stream} process, JSON lines in both directions.
 *
 * <p>Its methods may be called by any thread. A writer thread sends what has gathered, a reader thread reports states.
 */
final class QueueConnection {
    private static final int PROTOCOL = 1;
    private static final long GATHER_MILLIS = 20;
    private static final long START_SECONDS = 60;
    private static final long END_SECONDS = 30;

    /** Receives the states of a task. */
    interface Task {
        /** Called by the reader thread for each change of state: running, success, failed. */
        void changed(String state, String reason);
    }

    private final String command;
    private final Path folder;
    private final Path errors;
    private final Process process;
    private final BufferedReader in;
    private final BufferedWriter out;
    private final Runnable changed;
    private final Thread writer;
    private final Thread reader;

    private final Object lock = new Object();
    private final Map<String, Task> open = new LinkedHashMap<>();
    private List<Map<String, Object>> submitted = new ArrayList<>();
    private List<String> cancelled = new ArrayList<>();
    private @Nullable List<Map<String, Object>> expected;
    private List<Map<String, Object>> lastExpected = List.of();
    private boolean closing;
    private @Nullable String failure;

    /**
     * Starts the process and checks its version.
     *
     * @param folder the queue's folder
     * @param changed called after each batch of changes of states, and at an unexpected end
     */
    QueueConnection(ClusterSettings settings, Path folder, Runnable changed) {
        command = settings.command();
        this.folder = folder;
        this.changed = changed;
        List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", "trap '' INT HUP QUIT; exec \"$@\"", "sh"));
        // Signals of the terminal are for Nextflow, which cancels the tasks first.
        words.addAll(List.of(command, "task-stream", "--queue=" + folder));
        words.addAll(settings.arguments());
        try {
            Files.createDirectories(folder);
            errors = folder.resolve("task-stream.log");
            process = new ProcessBuilder(words).redirectError(errors.toFile()).start();
        } catch (IOException e) {
            throw new AbortOperationException("the queue in " + folder + " cannot be opened: " + e.getMessage(), e);
        }
        in = process.inputReader(StandardCharsets.UTF_8);
        out = process.outputWriter(StandardCharsets.UTF_8);
        checkGreeting();
        writer = thread(this::write, "sheaf submit");
        reader = thread(this::read, "sheaf states");
    }

    private static Thread thread(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void checkGreeting() {
        Map<?, ?> greeting;
        try {
            String line = in.readLine();
            greeting = line != null && new JsonSlurper().parseText(line) instanceof Map<?, ?> map ? map : Map.of();
        } catch (IOException | JsonException | IllegalArgumentException e) {
            greeting = Map.of();
        }
        Object protocol = greeting.get("protocol");
        if (protocol instanceof Number number && number.intValue() == PROTOCOL) {
            return;
        }
        int status = end(START_SECONDS);
        if (protocol != null) {
            throw new AbortOperationException("'" + command + "' is Sheaf " + greeting.get("sheaf") + " with protocol "
                    + protocol + ", nf-sheaf has protocol " + PROTOCOL + "; install both from the same release");
        }
        if (status == 127 || status == 126) {
            throw new AbortOperationException("the command '" + command
                    + "' cannot be run; install Sheaf, or set sheaf.command in nextflow.config to its file");
        }
        throw new AbortOperationException(message(
                "'" + command + " task-stream' ended with status " + status + "; is it another version of Sheaf?"));
    }

    /** The last line that the process wrote to its standard error. */
    private String message(String otherwise) {
        try {
            String last = "";
            for (String line : Files.readAllLines(errors)) {
                last = line.isBlank() ? last : line.strip();
            }
            return last.isEmpty() ? otherwise : last.startsWith("sheaf: ") ? last : "sheaf: " + last;
        } catch (IOException e) {
            return otherwise;
        }
    }

    Path folder() {
        return folder;
    }

    /** Submits a task with the keys of {@code sheaf task-stream}. */
    void submit(String id, Map<String, Object> task, Task listener) {
        synchronized (lock) {
            if (failure != null) {
                throw new AbortOperationException(failure);
            }
            open.put(id, listener);
            submitted.add(task);
            if (submitted.size() == 1) {
                // Else the writer knows that there are tasks, and gathers more.
                lock.notifyAll();
            }
        }
    }

    /** States what is likely to follow the submitted tasks; sent with the next of them. */
    void expect(List<Map<String, Object>> tasks) {
        synchronized (lock) {
            expected = tasks;
        }
    }

    void cancel(String id) {
        synchronized (lock) {
            cancelled.add(id);
            lock.notifyAll();
        }
    }

    /** Why the connection has ended without {@link #close}; null if it has not. */
    @Nullable
    String failure() {
        synchronized (lock) {
            return failure;
        }
    }

    /** Waits until cancelled tasks have ended, at most 30 s, and ends the connection. Unfinished tasks are cancelled. */
    void close() {
        List<String> left;
        synchronized (lock) {
            cancelled.addAll(open.keySet());
            lock.notifyAll();
            await(() -> open.isEmpty() || failure != null);
            left = new ArrayList<>(open.keySet());
            closing = true;
            lock.notifyAll();
        }
        join(writer);
        end(END_SECONDS);
        join(reader);
        if (!left.isEmpty()) {
            cancelBySecondProcess(left);
        }
    }

    /** Waits for a condition, with the lock held. */
    private void await(java.util.function.BooleanSupplier condition) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
        try {
            for (long rest = 1; rest > 0 && !condition.getAsBoolean(); ) {
                rest = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
                lock.wait(Math.max(1, rest));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Cancels tasks after the connection was lost. */
    private void cancelBySecondProcess(Collection<String> ids) {
        List<String> words = new ArrayList<>(List.of(command, "task-cancel", "--queue=" + folder));
        words.addAll(ids);
        try {
            Process second = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                    .start();
            second.getOutputStream().close();
            if (!second.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                second.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(ids.size() + " tasks of " + folder + " cannot be cancelled", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the process and returns its exit status; kills it after a time. */
    private int end(long seconds) {
        try {
            out.close();
        } catch (IOException e) {
            // It has ended already.
        }
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            return process.waitFor();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return -1;
        }
    }

    private void write() {
        try {
            while (true) {
                List<Map<String, Object>> tasks;
                List<String> ids;
                List<Map<String, Object>> later;
                synchronized (lock) {
                    while (submitted.isEmpty() && cancelled.isEmpty() && !closing && failure == null) {
                        lock.wait();
                    }
                    if (!submitted.isEmpty() && !closing) {
                        lock.wait(GATHER_MILLIS);
                    }
                    tasks = submitted;
                    ids = cancelled;
                    later = expected;
                    expected = null;
                    submitted = new ArrayList<>();
                    cancelled = new ArrayList<>();
                    if ((closing || failure != null) && tasks.isEmpty() && ids.isEmpty()) {
                        return;
                    }
                }
                if (later != null && !later.equals(lastExpected)) {
                    send(Map.of("expect", later));
                    lastExpected = later;
                }
                if (!tasks.isEmpty()) {
                    send(Map.of("submit", tasks));
                }
                if (!ids.isEmpty()) {
                    send(Map.of("cancel", ids));
                }
            }
        } catch (IOException e) {
            // The reader reports how the process ended.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(Map<String, ?> message) throws IOException {
        out.write(JsonOutput.toJson(message));
        out.write('\n');
        out.flush();
    }

    private void read() {
        JsonSlurper json = new JsonSlurper();
        String problem = "";
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (json.parseText(line) instanceof Map<?, ?> report && report.get("task") instanceof String id) {
                    report(
                            id,
                            String.valueOf(report.get("state")),
                            report.get("reason") instanceof String reason ? reason : "");
                }
            }
        } catch (IOException | JsonException e) {
            problem = ": " + e.getMessage();
        }
        int status = end(END_SECONDS);
        synchronized (lock) {
            if (!closing) {
                failure = message("'" + command + " task-stream' ended with status " + status + problem)
                        + "; the tasks of this run are cancelled, continue with -resume";
            }
            lock.notifyAll();
        }
        changed.run();
    }

    private void report(String id, String state, String reason) {
        Task task;
        synchronized (lock) {
            boolean ended = !state.equals("running") && !state.equals("waiting");
            task = ended ? open.remove(id) : open.get(id);
            lock.notifyAll();
        }
        if (task != null) {
            task.changed(state, reason);
            changed.run();
        }
    }
}
