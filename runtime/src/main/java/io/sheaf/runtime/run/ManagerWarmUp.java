package io.sheaf.runtime.run;

import io.sheaf.agent.Trees;
import io.sheaf.agent.link.CipherWarmUp;
import io.sheaf.agent.link.DaemonThread;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.WaitMemory;
import io.sheaf.runtime.cluster.AgentReserve;
import io.sheaf.runtime.cluster.RunClock;
import io.sheaf.runtime.journal.Disk;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.runtime.limits.SubmissionGate;
import io.sheaf.runtime.record.Considerations;
import io.sheaf.runtime.record.RunJournal;
import io.sheaf.runtime.rerun.FileCheck;
import io.sheaf.runtime.rerun.RunInputs;
import io.sheaf.runtime.rerun.RunRecorder;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.RunSpecBuilder;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The JIT warm-up of a manager: a run of empty tasks on an {@link InstantCluster} while the real run waits for its
 * first nodes. It has no listener and leaves no files.
 */
final class ManagerWarmUp implements RunListener {
    /** Enough tasks for the JIT to compile the code that runs for each. */
    private static final int TASKS = 1_000;

    private static final int NODES = 16;

    private ManagerWarmUp() {}

    /** Starts it in a thread; the run itself reports problems with the folder of temporary files. */
    static Thread begin() {
        return DaemonThread.start("warm-up", () -> execute(Files.createTempDirectory("sheaf-warm-up-")));
    }

    /** Runs the warm-up in a folder, which it deletes; returns how it ended. */
    static RunLoop.Ending execute(Path folder) throws IOException, InterruptedException {

        Workflow workflow = workflow();
        RunSpec spec = new RunSpecBuilder("warm-up", workflow.name(), folder, "onejob")
                .nodes(NODES, 1)
                .build();
        ManagerWarmUp warmUp = new ManagerWarmUp();
        EventQueue inbox = new EventQueue();
        RunClock clock = RunClock.system(0);
        try (Journal journal = Journal.open(folder.resolve("journal"), "", warmUp::message, Forgetful::new);
                InstantCluster cluster = new InstantCluster(inbox, clock);
                RunRecorder recorder = new RunRecorder(
                        workflow,
                        folder,
                        spec.id(),
                        folder,
                        new RunInputs(FileCheck.TIME, "", Map.of()),
                        true,
                        warmUp::message)) {
            Considerations.Notes notes = new Considerations.Notes();
            Strategy strategy = SpecifiedManager.strategy(spec.strategy(), spec, workflow, WaitMemory.NONE);
            Manager manager = SpecifiedManager.manager(folder, spec, workflow, strategy, cluster.estimator(), notes);
            Forest forest = new Forest(workflow);
            TaskStarts starts = new TaskStarts(forest, spec, folder, manager::needs);
            CipherWarmUp.run(starts.start(0, 1, List.of("")));
            RunLoop loop = new RunLoop(
                    new RunLoop.LoopState(manager, notes, forest, new RunJournal(journal)),
                    new RunLoop.LoopPorts(
                            cluster,
                            SubmissionGate.unlimited(cluster, AgentReserve.NONE),
                            cluster,
                            starts,
                            inbox,
                            clock),
                    warmUp);
            loop.recordIn(recorder);
            TimeKeeper timeKeeper = new RunMemory(folder.resolve("state"), spec, warmUp::message).timeKeeper(workflow);
            if (timeKeeper != null) {
                loop.timeWith(timeKeeper);
            }
            return loop.run();
        } finally {
            Trees.delete(folder);
        }
    }

    private static Workflow workflow() {
        WorkflowBuilder made = new WorkflowBuilder("warm-up");
        for (int i = 0; i < TASKS; i++) {
            int task = made.task("task" + i);
            made.time(task, 100_000);
            made.command(task, Command.of(List.of("sh", "-c", "true")));
            if (task > 0) {
                made.edge(0, task);
            }
        }
        return made.build();
    }

    /** A disk that discards all data. */
    private record Forgetful(FileChannel channel) implements Disk {
        @Override
        public void write(ByteBuffer bytes, long position) {
            bytes.position(bytes.limit());
        }

        @Override
        public void force() {}

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    @Override
    public void message(String text) {}
}
