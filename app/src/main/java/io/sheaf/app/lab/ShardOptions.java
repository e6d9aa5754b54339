package io.sheaf.app.lab;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.OptionText;
import io.sheaf.app.cli.Session;
import io.sheaf.app.cli.UsageException;
import io.sheaf.app.run.BatchOptions;
import io.sheaf.app.run.Clusters;
import io.sheaf.app.run.ManagerOptions;
import io.sheaf.app.run.RunCommand;
import io.sheaf.app.run.RunSession;
import io.sheaf.app.run.UnattendedOptions;
import io.sheaf.app.run.ViewOptions;
import io.sheaf.lab.ExperimentPlan;
import io.sheaf.lab.Lab;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.run.RunFiles;
import io.sheaf.runtime.run.WorkflowRun;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.RunSpecBuilder;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for running the shards of an experiment on a batch system, as a workflow. */
final class ShardOptions {
    private static final String STRATEGY = "auto";
    private static final int MAX_SHARDS = 64;

    /** The number of sample runs for the estimate of a shard's run time. */
    private static final int SAMPLES = 12;

    /** The overhead of a shard, and the tolerance before its walltime ends it. */
    private static final long START_MICROS = 20_000_000;

    private static final double LEEWAY = 1.5;

    @Option(
            names = "--on",
            completionCandidates = Clusters.SystemNames.class,
            paramLabel = "SYSTEM",
            description =
                    "Run the shards as tasks of a workflow on this batch system: ${COMPLETION-CANDIDATES} (local is this machine).")
    private @Nullable String on;

    @Option(
            names = "--shards",
            paramLabel = "N",
            description = "With --on: number of shards (default: number of nodes, at most 64).")
    private @Nullable Integer shards;

    @Option(
            names = "--shard-time",
            paramLabel = "TIME",
            description = "With --on: expected run time of a shard (default: estimated from 12 sample items).")
    private @Nullable String shardTime;

    @Mixin
    BatchOptions batch = new BatchOptions();

    @Mixin
    ViewOptions view = new ViewOptions();

    @Mixin
    ManagerOptions managerOptions = new ManagerOptions();

    @Mixin
    UnattendedOptions unattended = new UnattendedOptions();

    /**
     * An experiment.
     *
     * @param folder the folder of its results
     * @param words the command that runs it, without shard, threads and folder; it may run in another folder
     */
    record Whole(ExperimentPlan plan, Lab lab, Path folder, List<String> words) {}

    boolean areRequested() {
        return on != null;
    }

    void check(List<String> passedOn, Session session) {
        Clusters.check(on == null ? Placement.LOCAL.system() : on, batch, passedOn, session);
        UsageException.unless(
                on != null || (shards == null && shardTime == null && !unattended.isRequested()),
                "--shards, --shard-time, --detach and --manager-job need --on");
        UsageException.unless(shards == null || shards >= 1, "--shards: must be at least 1");
    }

    /**
     * Runs or resumes all shards and merges their results into the experiment's folder.
     *
     * @param experiment the whole experiment
     * @param passedOn further options of the batch system
     * @return the exit status
     */
    int run(Whole experiment, List<String> passedOn, @Nullable Integer threads, Session session)
            throws IOException, InterruptedException {
        // Rejects a folder with other content before anything is submitted.
        if (experiment.lab.found() == experiment.plan.runs()) {
            return ExitStatus.DONE;
        }
        Placement where = Clusters.where(String.valueOf(on), batch, passedOn, session);
        managerOptions.lease(where);
        Path folder = experiment.folder.toAbsolutePath().normalize();
        Path place = runFolder(folder);
        Path agentFiles = RunSession.agentFiles(session);
        WorkflowRun made = RunFiles.isRun(place) ? WorkflowRun.open(place, agentFiles) : null;
        if (made == null) {
            Nodes nodes = where.equals(Placement.LOCAL)
                    ? new Nodes(Runtime.getRuntime().availableProcessors(), threads == null ? 1 : threads, 0)
                    : Clusters.commands(where, session).nodes(where.options());
            int cores = threads == null ? nodes.cores() : threads;
            Workflow workflow = workflow(experiment, cores, nodes.count());
            RunSpec spec = spec(workflow, folder, nodes, where);
            made = WorkflowRun.create(
                    place,
                    spec,
                    WorkflowRun.Tasks.of(workflow),
                    agentFiles,
                    Clusters.of(where, session, managerOptions));
        } else if (shards != null && shards != ShardWorkflow.shards(made.workflow())) {
            throw new InputException("was started with " + ShardWorkflow.shards(made.workflow())
                            + " shards; use the same number, or another folder with -o")
                    .in(folder.toString());
        }
        if (unattended.isRequested()) {
            return unattended.startManager(place, made.spec(), session, managerOptions);
        }
        return new RunSession(made, place, silent(session), false, view.isScreen(session)).execute(managerOptions);
    }

    /** The folder of the run: the last one, or a new one if the last has ended without a table. */
    private static Path runFolder(Path folder) throws IOException {
        int number = 1;
        while (RunFiles.isRun(folder.resolve("run" + (number + 1)))) {
            number++;
        }
        Path last = folder.resolve("run" + number);
        boolean ended =
                RunFiles.isRun(last) && RecordedRun.open(last).status(0).state().isFinished();
        return ended ? folder.resolve("run" + (number + 1)) : last;
    }

    private Workflow workflow(Whole experiment, int threads, int nodes) {
        int requested = shards != null ? shards : Math.min(nodes, MAX_SHARDS);
        int parts = Math.max(1, Math.min(requested, experiment.plan.items()));
        long micros = shardTime != null
                ? OptionText.millis("--shard-time", shardTime) * 1000
                : START_MICROS + (long) (LEEWAY * experiment.lab.secondsOfOneThread(SAMPLES) / threads / parts * 1e6);
        String name =
                String.valueOf(experiment.folder.toAbsolutePath().normalize().getFileName());
        return ShardWorkflow.of(name, experiment.words, parts, threads, micros);
    }

    private static RunSpec spec(Workflow workflow, Path folder, Nodes nodes, Placement where) {
        return new RunSpecBuilder(RunCommand.newId(), workflow.name(), folder, STRATEGY)
                .fileEdges(true)
                .nodes(nodes.count(), nodes.cores())
                .on(where)
                .build();
    }

    /** A session that suppresses the run's own summary. */
    private static Session silent(Session session) {
        return new Session(
                new PrintWriter(Writer.nullWriter()),
                session.err(),
                session.configuration(),
                session.environment(),
                session.folder(),
                session.terminal());
    }
}
