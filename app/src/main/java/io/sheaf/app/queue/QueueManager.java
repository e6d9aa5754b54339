package io.sheaf.app.queue;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.OwnCommand;
import io.sheaf.app.cli.Session;
import io.sheaf.app.cli.ShutdownHook;
import io.sheaf.app.run.Clusters;
import io.sheaf.app.run.ManagerOptions;
import io.sheaf.app.run.RunLines;
import io.sheaf.app.run.RunSession;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.journal.SupersededException;
import io.sheaf.runtime.queue.TaskQueue;
import io.sheaf.runtime.queue.TaskStates;
import io.sheaf.runtime.run.LeaseOwner;
import io.sheaf.runtime.run.ManagerLease;
import io.sheaf.runtime.run.Requests;
import io.sheaf.runtime.run.RunFiles;
import io.sheaf.runtime.run.RunLoop;
import io.sheaf.runtime.run.WorkflowRun;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import java.io.File;
import java.io.IOException;
import java.util.List;

/** The manager process of a task queue, with methods to start, run and end it. */
record QueueManager(TaskQueue queue, Session session) {
    /** The default time after which an idle manager exits. */
    static final String IDLE = "60s";

    private static final long TIMEOUT_NANOS = 60_000_000_000L;
    private static final long END_NANOS = 3_000_000_000L;
    private static final long POLL_MILLIS = 50;

    /** Starts a manager unless one is running. */
    void ensure(String idle) throws IOException, InterruptedException {
        long from = System.nanoTime();
        while (queue.isEnding() && LeaseOwner.isAttended(queue.run())) {
            if (System.nanoTime() - from > TIMEOUT_NANOS) {
                throw new InputException("the manager of the queue does not stop; see " + log());
            }
            Thread.sleep(POLL_MILLIS);
        }
        if (queue.mayStart()) {
            start(idle);
        }
    }

    /**
     * Ends the queue: the manager cancels its jobs and stops. Waits up to 3 s for the manager's end. If the caller then
     * removes the folder, the manager cancels its jobs later.
     */
    void end() throws IOException, InterruptedException {
        new Requests(queue.run()).cancel();
        long from = System.nanoTime();
        while (LeaseOwner.isAttended(queue.run()) && System.nanoTime() - from < END_NANOS) {
            Thread.sleep(POLL_MILLIS);
        }
    }

    private File log() {
        return queue.run().resolve("manager.log").toFile();
    }

    /** Starts the manager in a session of its own, independent of the terminal. */
    private void start(String idle) throws IOException {
        String folder = queue.run().resolveSibling("").toString();
        List<String> words =
                OwnCommand.words("submit-task", "--queue", folder, "--idle", idle, "--run-manager", "--", "-");
        RunSpec spec = RunFiles.spec(queue.run());
        Process process = OwnCommand.background(words, log(), session);
        queue.starts(process.toHandle(), spec.nodes(), spec.node().cores());
    }

    /** Runs the queue until it has been idle for the given time. Returns the exit status. */
    int execute(String idle, ManagerOptions options) throws IOException, InterruptedException {
        boolean idled = true;
        while (idled) {
            queue.begin();
            WorkflowRun run = WorkflowRun.open(queue.run(), RunSession.agentFiles(session));
            RunLines lines = new RunLines(run.workflow(), run::begunAt, run::now, session.err());
            TaskStates states = new TaskStates(queue, lines, TimeText.millis(idle), run::interrupt);
            ManagerLease lease = options.lease(run.spec().where());
            ClusterAccess site = Clusters.of(run.spec().where(), session, options);
            try (ShutdownHook hook = new ShutdownHook("interrupt", run::interrupt)) {
                RunLoop.Ending ending = run.execute(states, lease, site);
                if (ending == RunLoop.Ending.REMOVED) {
                    return ExitStatus.FAILED;
                }
                if (hook.hasBegun()) {
                    return ExitStatus.INTERRUPTED;
                }
                idled = ending == RunLoop.Ending.INTERRUPTED;
            } catch (SupersededException e) {
                session.note(e.getMessage() + "; this manager stops");
                return ExitStatus.INTERRUPTED;
            }
            if (idled && queue.mayEnd()) {
                return ExitStatus.DONE;
            }
        }
        return ExitStatus.DONE;
    }
}
