package io.sheaf.app.queue;

import io.sheaf.app.cli.HelpHeading;
import io.sheaf.app.cli.OptionText;
import io.sheaf.app.cli.Session;
import io.sheaf.app.cli.StrategyOption;
import io.sheaf.app.run.ManagerOptions;
import io.sheaf.app.run.PlaceOptions;
import io.sheaf.app.run.RunCommand;
import io.sheaf.app.run.RunSession;
import io.sheaf.runtime.control.ControlFolder;
import io.sheaf.runtime.queue.TaskQueue;
import io.sheaf.runtime.run.WorkflowRun;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.RunSpecBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a task queue, which take effect when the first task creates the queue. */
final class NewQueueOptions {
    @Mixin
    PlaceOptions place = new PlaceOptions();

    @Mixin
    ManagerOptions managerOptions = new ManagerOptions();

    @Mixin
    StrategyOption strategy = new StrategyOption();

    @HelpHeading(HelpHeading.MANAGER)
    @Option(
            names = {"--manager-idle", "--idle"},
            paramLabel = "TIME",
            description = "Time after which an idle manager stops (default: ${DEFAULT-VALUE}).")
    String idle = QueueManager.IDLE;

    @Option(
            names = {"--keep-idle-nodes", "--hold"},
            paramLabel = "TIME",
            description =
                    "Maximum time that idle nodes are kept while tasks are still being submitted (default: ${DEFAULT-VALUE}).")
    String hold = "5m";

    @Option(
            names = {"--batch-window", "--gather"},
            paramLabel = "TIME",
            description =
                    "Collect tasks and plan them together after no task was submitted for this time (default: ${DEFAULT-VALUE}).")
    String gather = "0s";

    /** Throws if a time is invalid. */
    void check() {
        OptionText.millis("--manager-idle", idle);
        OptionText.millis("--keep-idle-nodes", hold);
        OptionText.millis("--batch-window", gather);
    }

    /** Returns the specification of the queue's run; creates the queue if there is none. */
    RunSpec spec(TaskQueue queue, Session session) throws IOException, InterruptedException {
        return queue.isMade()
                ? WorkflowRun.open(queue.run(), RunSession.agentFiles(session)).spec()
                : make(queue, session);
    }

    /** Creates the queue, an open run. If several processes create it at once, one succeeds and its options apply. */
    private RunSpec make(TaskQueue queue, Session session) throws IOException, InterruptedException {
        Placement where = place.where(List.of(), session);
        Path folder = session.folder().toAbsolutePath().normalize();
        RunSpecBuilder builder = new RunSpecBuilder(RunCommand.newId(), "tasks", folder, strategy.name)
                .keepGoing(true)
                .ample(true)
                .hold(OptionText.millis("--keep-idle-nodes", hold));
        RunSpec spec = place.configure(builder, where, session, 0).build();
        Path made = queue.run().resolveSibling("run-" + spec.id());
        WorkflowRun.createOpen(made, spec, RunSession.agentFiles(session));
        if (OptionText.millis("--batch-window", gather) > 0) {
            new ControlFolder(made).gather(OptionText.millis("--batch-window", gather));
        }
        return queue.take(made)
                ? spec
                : WorkflowRun.open(queue.run(), RunSession.agentFiles(session)).spec();
    }
}
