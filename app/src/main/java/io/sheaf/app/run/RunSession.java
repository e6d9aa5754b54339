package io.sheaf.app.run;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.OutputFile;
import io.sheaf.app.cli.Session;
import io.sheaf.app.cli.ShutdownHook;
import io.sheaf.app.notify.RunNotices;
import io.sheaf.app.report.StatusReport;
import io.sheaf.manager.Manager;
import io.sheaf.manager.TaskState;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.journal.SupersededException;
import io.sheaf.runtime.learnt.StateFolder;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.recorded.RunStatus;
import io.sheaf.runtime.run.ManagerLease;
import io.sheaf.runtime.run.RunLoop;
import io.sheaf.runtime.run.WorkflowRun;
import io.sheaf.runtime.spec.Placement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A run in this process: manager, display and summary. */
public final class RunSession {
    /** Returned instead of an exit status if ended workflows are to be archived before the run continues. */
    public static final int ARCHIVING = -1;

    private static final int HOOK_SECONDS = 15;
    private static final int PROBE_BYTES = 1 << 14;

    private final WorkflowRun run;
    private final Path folder;
    private final Session session;
    private final boolean json;
    private final RunDisplay view;
    private final RunNotices notices;
    private int kept;
    private volatile boolean left;

    /**
     * Creates a session of a run.
     *
     * @param screen whether to use the full-screen view
     */
    public RunSession(WorkflowRun run, Path folder, Session session, boolean json, boolean screen) {
        this.run = run.learningIn(session.state());
        this.folder = folder;
        this.session = session;
        this.json = json;
        String title = run.workflow().name() + " with " + run.spec().strategy() + ", " + folder;
        view = new RunDisplay(title, run, session.err(), screen);
        notices = new RunNotices(session, folder, run.spec().name());
        view.eachTurn(manager -> notices.turned(manager, run.begunAt(), run.now()));
    }

    /** Sets the number of up-to-date tasks that are not part of the run. */
    RunSession keeping(int tasks) {
        kept = tasks;
        return this;
    }

    /** The folder of agent files shared by all runs, beside the command's own archives. */
    public static Path agentFiles(Session session) {
        Map<String, String> environment = session.environment();
        String own = environment.get("SHEAF_CACHE");
        String shared = environment.get("XDG_CACHE_HOME");
        Path cache = own != null
                ? Path.of(own)
                : shared != null
                        ? Path.of(shared, "sheaf")
                        : StateFolder.home(environment).resolve(".cache/sheaf");
        return session.folder().toAbsolutePath().resolve(cache).resolve("agent");
    }

    /** The notices of the run, for events of single workflows of a service. */
    public RunNotices notices() {
        return notices;
    }

    /** Adds a listener that is called after each turn of the run loop. */
    public void eachTurn(Consumer<Manager> listener) {
        view.eachTurn(listener);
    }

    /** Runs the session and returns the exit status. */
    public int execute(ManagerOptions managerOptions) throws IOException, InterruptedException {
        Placement where = run.spec().where();
        ManagerLease lease = managerOptions.lease(where);
        ClusterAccess site = Clusters.of(where, session, managerOptions);
        session.note("run folder " + folder);
        CountDownLatch ended = new CountDownLatch(1);
        ShutdownHook hook = new ShutdownHook("interrupt", () -> interrupted(ended));
        try {
            RunLoop.Ending ending = run.execute(view, lease, site);
            view.close();
            ended.countDown();
            return finish(ending);
        } catch (SupersededException e) {
            view.close();
            session.note(e.getMessage() + "; this manager stops");
            return ExitStatus.INTERRUPTED;
        } catch (IOException e) {
            String problem = isDisk(e) ? OutputFile.reason(e) : writeProblem();
            if (problem == null) {
                throw e;
            }
            view.close();
            session.note(folder + " cannot be written (" + problem
                    + "). Free space or make it writable, then continue with:" + " sheaf resume " + folder);
            return ExitStatus.INTERRUPTED;
        } finally {
            view.close();
            ended.countDown();
            hook.close();
            notices.close();
        }
    }

    /** Whether the file system refused to write. */
    private static boolean isDisk(IOException e) {
        String reason = OutputFile.reason(e);
        return reason.contains("No space left") || reason.contains("Read-only") || reason.contains("quota exceeded");
    }

    /** Why nothing can be written to the run folder; null if it can. */
    private @Nullable String writeProblem() {
        Path probe = folder.resolve(".probe-" + ProcessHandle.current().pid());
        try {
            Files.write(probe, new byte[PROBE_BYTES]);
            Files.delete(probe);
            return null;
        } catch (IOException e) {
            return OutputFile.reason(e);
        } finally {
            // Where the disk is full, an empty file may be left.
            var unused = probe.toFile().delete();
        }
    }

    /** Handles a signal: the run loop finishes its turn, running tasks continue. */
    private void interrupted(CountDownLatch ended) {
        left = true;
        run.interrupt();
        try {
            boolean done = ended.await(HOOK_SECONDS, TimeUnit.SECONDS);
            view.close();
            session.note("interrupted; " + (done ? remaining() : "its pilot jobs and running tasks continue"));
            session.note("  continue: sheaf resume " + folder);
            session.note("  cancel:   sheaf cancel " + folder);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(ExitStatus.INTERRUPTED);
    }

    /** What runs on without a manager. The run loop has ended. */
    private String remaining() {
        Manager manager = run.manager();
        if (manager == null || manager.pilotJobs() == 0) {
            return "no pilot jobs remain";
        }
        int running = count(manager, TaskState.RUNNING);
        return counted(manager.pilotJobs(), "pilot job") + " and " + counted(running, "running task")
                + " continue without a manager, and results are kept; no further tasks are sent to them";
    }

    private static String counted(int count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }

    /** Ends the session because another manager takes over; callable from any thread. */
    void handOver() {
        left = true;
        run.interrupt();
    }

    /** Whether this process leaves the run to the next manager: it handed over, or a signal ended it. */
    boolean isLeft() {
        return left;
    }

    private int finish(RunLoop.Ending ending) throws IOException {
        Manager manager = run.manager();
        if (manager == null || ending == RunLoop.Ending.INTERRUPTED) {
            return ExitStatus.INTERRUPTED;
        }
        if (ending == RunLoop.Ending.REMOVED) {
            return ExitStatus.FAILED;
        }
        if (ending == RunLoop.Ending.ARCHIVING) {
            return ARCHIVING;
        }
        notices.ended(manager, ending == RunLoop.Ending.PAUSED, run.begunAt(), run.now());
        if (ending == RunLoop.Ending.PAUSED) {
            session.note("paused: " + manager.paused() + lastLogLine()
                    + ". Fix the cause, then continue with: sheaf resume " + folder);
            return ExitStatus.INTERRUPTED;
        }
        if (manager.isCancelled()) {
            session.note("the run was cancelled");
        }
        print(manager);
        boolean done = !manager.isFailed() && !manager.isCancelled();
        return done ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    /** The last line of the last agent's log; empty if there is none. */
    private String lastLogLine() {
        Path log = newestLog(folder);
        String line = log == null ? "" : lastLine(log);
        return line.isEmpty() ? "" : "; last line of the agent's log (" + log + "): " + line;
    }

    private void print(Manager manager) throws IOException {
        // The same figures as in status, report and history, also of earlier processes of this run.
        RecordedRun recorded = RecordedRun.open(folder);
        RunRecord record = recorded.record(manager.now());
        RunStatus status = recorded.status(manager.now());
        // With the makespan that is printed here, and the names of nodes.
        var unused = recorded.measured();
        RunSummary summary = new RunSummary(
                folder.toString(),
                status.size(),
                kept,
                status.tasks(TaskState.DONE),
                status.tasks(TaskState.FAILED),
                status.tasks(TaskState.SKIPPED),
                StatusReport.failures(status),
                record.retries(),
                record.makespanMillis(),
                record.waitMillis(),
                record.overlappedWaitMillis(),
                record.usedNodeMillis(),
                record.allocatedNodeMillis());
        if (json) {
            JsonOut.print(session.out(), out -> RunSummary.FIGURES.fields(out, summary));
        } else {
            RunSummary.FIGURES.lines(session.out(), summary);
        }
    }

    private int count(Manager manager, TaskState state) {
        return (int) IntStream.range(0, run.workflow().size())
                .filter(task -> manager.state(task) == state)
                .count();
    }

    /** The log of an agent of the last submitted pilot job; null if there is none. */
    private static @Nullable Path newestLog(Path runFolder) {
        try (Stream<Path> agents = Files.list(runFolder.resolve("agents"))) {
            return agents.map(agent -> agent.resolve("agent.log"))
                    .filter(Files::exists)
                    .max(Comparator.comparingLong(RunSession::token))
                    .orElse(null);
        } catch (IOException e) {
            return null;
        }
    }

    /** The token in an agent's folder name, TOKEN.NODE. */
    private static long token(Path log) {
        String name = String.valueOf(log.getName(log.getNameCount() - 2));
        int dot = name.indexOf('.');
        try {
            return Long.parseLong(dot < 0 ? name : name.substring(0, dot));
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** The last line that is not part of a stack trace; empty if there is none. */
    private static String lastLine(Path log) {
        try {
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("at ") && !line.startsWith("... "))
                    .reduce("", (before, line) -> line);
        } catch (IOException e) {
            return "";
        }
    }
}
