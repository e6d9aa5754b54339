package io.sheaf.nextflow;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import nextflow.exception.AbortOperationException;
import nextflow.executor.Executor;
import nextflow.executor.SupportedScriptTypes;
import nextflow.executor.TaskArrayExecutor;
import nextflow.processor.TaskHandler;
import nextflow.processor.TaskMonitor;
import nextflow.processor.TaskRun;
import nextflow.script.ScriptType;
import nextflow.util.ServiceName;
import org.jspecify.annotations.Nullable;
import org.pf4j.ExtensionPoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The executor {@code sheaf}: hands tasks to the manager of a Sheaf queue, which runs them in pilot jobs.
 *
 * <p>A run of Nextflow has one queue per distinct {@code queue} and {@code clusterOptions}, in {@code .sheaf/RUN-NAME} of the
 * work directory. Retries are Nextflow's; Sheaf repeats only attempts whose pilot job was lost.
 */
@ServiceName("sheaf")
@SupportedScriptTypes(ScriptType.SCRIPTLET)
public final class SheafExecutor extends Executor implements TaskArrayExecutor, ExtensionPoint {
    /** Nextflow writes to the terminal only what comes from loggers below {@code nextflow}. */
    static final Logger LOG = LoggerFactory.getLogger("nextflow.executor.SheafExecutor");

    /** The script that starts a task on a compute node, in the queue's folder. */
    static final String LAUNCHER = "launch.sh";

    private final Map<Map<String, String>, QueueConnection> queues = new LinkedHashMap<>();
    private @Nullable ClusterSettings settings;
    private @Nullable ExpectedProcesses expected;

    @Override
    protected TaskMonitor createTaskMonitor() {
        settings = ClusterSettings.read(getSession().getConfig().get("sheaf"), System.getenv());
        return new SheafMonitor(this);
    }

    /** Opens the queue of processes without {@code queue} and {@code clusterOptions}, so that errors appear before the first task. */
    @Override
    protected void register() {
        queue(settings());
    }

    ClusterSettings settings() {
        if (settings == null) {
            throw new IllegalStateException("the executor is not initialized");
        }
        return settings;
    }

    /** The folder in which tasks are submitted. */
    String launchFolder() {
        return getWorkDir().toAbsolutePath().toString();
    }

    /** The queue with these settings; opens it if this run has none. */
    QueueConnection queue(ClusterSettings requested) {
        synchronized (queues) {
            return queues.computeIfAbsent(requested.options(), options -> {
                String number = queues.isEmpty() ? "" : "-" + (queues.size() + 1);
                Path folder = getWorkDir()
                        .toAbsolutePath()
                        .resolve(".sheaf")
                        .resolve(getSession().getRunName() + number);
                writeLauncher(folder);
                return new QueueConnection(requested, folder, this::signal);
            });
        }
    }

    private static void writeLauncher(Path folder) {
        try (InputStream script = SheafExecutor.class.getResourceAsStream(LAUNCHER)) {
            if (script == null) {
                throw new IOException(LAUNCHER + " is missing in the plug-in");
            }
            Files.createDirectories(folder);
            Files.copy(script, folder.resolve(LAUNCHER), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new AbortOperationException("the queue cannot be created in " + folder + ": " + e.getMessage(), e);
        }
    }

    /** What this run is likely to submit. Its DAG is complete when the first task is submitted. */
    synchronized ExpectedProcesses expected() {
        if (expected == null) {
            expected = new ExpectedProcesses(
                    ExpectedProcesses.parents(getSession().getDag()), ExpectedProcesses.read(lastRun()));
        }
        return expected;
    }

    /** Where the tasks of the last complete run of this pipeline are. */
    private Path lastRun() {
        String script = String.valueOf(getSession().getScriptName()).replaceAll("[^A-Za-z0-9_.-]", "_");
        return getWorkDir().toAbsolutePath().resolve(".sheaf").resolve(script + ".json");
    }

    /** Whether all processes use one queue, so that it runs what is expected. */
    boolean hasOneQueue() {
        synchronized (queues) {
            return queues.size() == 1;
        }
    }

    /** Why a connection to a queue was lost; null if none was. */
    @Nullable
    String failure() {
        synchronized (queues) {
            for (QueueConnection each : queues.values()) {
                String failure = each.failure();
                if (failure != null) {
                    return failure;
                }
            }
            return null;
        }
    }

    @Override
    public TaskHandler createTaskHandler(TaskRun task) {
        return new SheafTaskHandler(task, this);
    }

    /** Ends the connections, after Nextflow has cancelled what was unfinished. */
    @Override
    public void shutdown() {
        // A resumed run has submitted only a part.
        if (expected != null && getSession().isSuccess() && !getSession().isResumeMode()) {
            expected.write(lastRun());
        }
        synchronized (queues) {
            queues.values().forEach(QueueConnection::close);
            queues.clear();
        }
    }

    // --- the directive 'array'; the script that Nextflow makes of these for a batch system is not used ---

    @Override
    public String getArrayIndexName() {
        return "SHEAF_ARRAY_INDEX";
    }

    @Override
    public int getArrayIndexStart() {
        return 0;
    }

    @Override
    public String getArrayTaskId(String job, int index) {
        return job + "-" + index;
    }

    @Override
    public boolean isWorkDirDefaultFS() {
        return getWorkDir().getFileSystem() == FileSystems.getDefault();
    }

    @Override
    public String getArrayWorkDir(TaskHandler handler) {
        return handler.getTask().getWorkDir().toString();
    }

    @Override
    public String getArrayLaunchCommand(String folder) {
        return "bash " + folder + "/" + TaskRun.CMD_RUN;
    }
}
