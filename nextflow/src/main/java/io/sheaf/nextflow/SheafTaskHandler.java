package io.sheaf.nextflow;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import nextflow.exception.AbortOperationException;
import nextflow.exception.ProcessException;
import nextflow.executor.BashWrapperBuilder;
import nextflow.executor.res.AcceleratorResource;
import nextflow.processor.TaskArrayRun;
import nextflow.processor.TaskConfig;
import nextflow.processor.TaskHandler;
import nextflow.processor.TaskRun;
import nextflow.processor.TaskStatus;
import nextflow.trace.TraceRecord;
import nextflow.util.Duration;
import nextflow.util.MemoryUnit;
import org.jspecify.annotations.Nullable;

/**
 * A task of Nextflow as a task of a queue. Its process is its category; its {@code time} is its limit.
 *
 * <p>An array ({@code array} directive) submits its tasks one after the other in one message: pilot jobs run many tasks
 * anyway.
 */
final class SheafTaskHandler extends TaskHandler implements QueueConnection.Task {
    private static final long MEGABYTE = 1 << 20;
    private static final long KILOBYTE = 1 << 10;
    /** How long the exit status of a failed task may be invisible on a network file system. */
    private static final long EXIT_FILE_MILLIS = 10_000;

    private record State(String name, String reason, long atMillis) {}

    private final SheafExecutor executor;
    private final String id;
    private @Nullable QueueConnection queue;
    private volatile State state = new State("waiting", "", 0);

    SheafTaskHandler(TaskRun task, SheafExecutor executor) {
        super(task);
        this.executor = executor;
        id = "nf-" + task.getHash();
    }

    @Override
    public void prepareLauncher() {
        if (getTask().getWorkDir().getFileSystem() != FileSystems.getDefault()) {
            throw new AbortOperationException(
                    "the executor 'sheaf' needs a work directory that the compute nodes see as a folder, not "
                            + getTask().getWorkDir().toUri() + "; set workDir");
        }
        if (!(getTask() instanceof TaskArrayRun)) {
            new BashWrapperBuilder(getTask()).build();
        }
    }

    @Override
    public void submit() {
        if (getTask() instanceof TaskArrayRun array) {
            array.getChildren().forEach(TaskHandler::submit);
            return;
        }
        TaskConfig config = getTask().getConfig();
        String process = getTask().getProcessor().getName();
        QueueConnection connection =
                executor.queue(executor.settings().of(process, config.get("queue"), config.getClusterOptionsAsList()));
        queue = connection;
        setStatus(TaskStatus.SUBMITTED);
        Map<String, Object> request = request(process, config, connection.folder());
        if (!executor.hasOneQueue()) {
            connection.expect(List.of());
        } else if (config.getAttempt() <= 1) {
            executor.expected().submitted(process, config.getCpus());
            connection.expect(executor.expected().expected());
        }
        connection.submit(id, request, this);
        SheafExecutor.LOG.debug(
                "[SHEAF] submitted process {} > task: {}; workDir: {}",
                getTask().getName(),
                id,
                getTask().getWorkDir());
    }

    private Map<String, Object> request(String process, TaskConfig config, Path folder) {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("id", id);
        request.put("folder", executor.launchFolder());
        request.put("category", process);
        request.put("cores", config.getCpus());
        MemoryUnit memory = config.getMemory();
        if (memory != null) {
            request.put("memory", (memory.toBytes() + MEGABYTE - 1) / MEGABYTE + "M");
        }
        request.put("gpus", gpus(process, config.getAccelerator()));
        Duration time = config.getTime();
        if (time != null) {
            String seconds = Math.max(1, (time.toMillis() + 999) / 1000) + "s";
            request.put("time", seconds);
            request.put("limit", seconds);
        } else {
            request.put("time", executor.settings().time());
        }
        request.put("command", launch(config, folder));
        return request;
    }

    private List<String> launch(TaskConfig config, Path folder) {
        List<String> words = new ArrayList<>(List.of(
                "/bin/bash",
                folder.resolve(SheafExecutor.LAUNCHER).toString(),
                getTask().getWorkDir().toString()));
        MemoryUnit disk = config.getDisk();
        if (disk != null) {
            words.add(String.valueOf((disk.toBytes() + KILOBYTE - 1) / KILOBYTE));
            Object scratch = getTask().getScratch();
            boolean here = scratch == null || scratch.toString().equals("false");
            words.add(here ? "." : "");
        }
        return words;
    }

    private static int gpus(String process, @Nullable AcceleratorResource accelerator) {
        if (accelerator == null) {
            return 0;
        }
        if (accelerator.getType() != null) {
            throw new AbortOperationException("process '" + process + "': accelerator type '" + accelerator.getType()
                    + "' cannot be requested from the executor 'sheaf'; request a number only, and choose nodes by 'queue' or"
                    + " 'clusterOptions --constraint=…'");
        }
        Integer number = accelerator.getRequest() != null ? accelerator.getRequest() : accelerator.getLimit();
        return number == null ? 0 : number;
    }

    @Override
    public void changed(String name, String reason) {
        State before = state;
        state = new State(name, reason, System.currentTimeMillis());
        if ((name.equals("success") || name.equals("failed"))
                && getTask().getConfig().getAttempt() <= 1) {
            boolean timed = name.equals("success") && before.name.equals("running");
            executor.expected()
                    .ended(getTask().getProcessor().getName(), timed ? state.atMillis - before.atMillis : -1);
        }
    }

    @Override
    public boolean checkIfRunning() {
        if (isSubmitted() && !state.name.equals("waiting")) {
            setStatus(TaskStatus.RUNNING);
            return true;
        }
        return false;
    }

    @Override
    public boolean checkIfCompleted() {
        State seen = state;
        if (!isRunning() || !(seen.name.equals("success") || seen.name.equals("failed"))) {
            return false;
        }
        Integer status = seen.name.equals("success") ? Integer.valueOf(0) : exitStatus();
        if (status == null) {
            if (mayAppear(seen)) {
                return false;
            }
            getTask()
                    .setError(new ProcessException(
                            seen.reason.isEmpty() ? "the task failed before it started" : seen.reason));
        } else {
            getTask().setExitStatus(status);
        }
        getTask().setStdout(getTask().getWorkDir().resolve(TaskRun.CMD_OUTFILE));
        getTask().setStderr(getTask().getWorkDir().resolve(TaskRun.CMD_ERRFILE));
        setStatus(TaskStatus.COMPLETED);
        if (!seen.reason.isEmpty()) {
            SheafExecutor.LOG.debug("[SHEAF] task {} failed: {}", id, seen.reason);
        }
        return true;
    }

    /** Whether the exit status of a task that began may still appear in its work directory. */
    private boolean mayAppear(State failed) {
        boolean began = Files.exists(getTask().getWorkDir().resolve(TaskRun.CMD_START));
        return began && System.currentTimeMillis() - failed.atMillis < EXIT_FILE_MILLIS;
    }

    private @Nullable Integer exitStatus() {
        try {
            return Integer.valueOf(Files.readString(getTask().getWorkDir().resolve(TaskRun.CMD_EXIT))
                    .strip());
        } catch (IOException | NumberFormatException e) {
            return null;
        }
    }

    @Override
    public void kill() {
        if (queue != null) {
            queue.cancel(id);
        }
    }

    @Override
    public TraceRecord getTraceRecord() {
        TraceRecord trace = super.getTraceRecord();
        trace.put("native_id", id);
        return trace;
    }
}
