package io.sheaf.app.predict;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.OptionText;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.StrategyList;
import io.sheaf.app.cli.UsageException;
import io.sheaf.app.run.BatchOptions;
import io.sheaf.app.run.BatchPlan;
import io.sheaf.app.run.Clusters;
import io.sheaf.app.run.ManagerOptions;
import io.sheaf.app.run.PlaceOptions;
import io.sheaf.app.run.PlanTable;
import io.sheaf.app.run.RerunOptions;
import io.sheaf.app.run.RerunText;
import io.sheaf.app.run.RunCommand;
import io.sheaf.app.run.RunWorkflow;
import io.sheaf.app.run.WorkDirOption;
import io.sheaf.app.simulate.Background;
import io.sheaf.app.simulate.RunOptions;
import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Pools;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.BatchSystem;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.rerun.Rerun;
import io.sheaf.runtime.run.TimeKeeper;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.Preflight;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.RunSpecBuilder;
import io.sheaf.runtime.spec.Site;
import io.sheaf.sim.Checkpoints;
import io.sheaf.sim.PlanForecast;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code plan}: what strategies would submit. */
@Command(
        name = "plan",
        description = "Show what each strategy would submit now, with estimated queue waits and makespans.",
        footer = {
            "",
            "The makespan is simulated: no other jobs arrive, and every job uses its full walltime.",
            "The last column is the strategy's own estimate; some strategies do not estimate a makespan.",
            "Without --trace, --model and --on: show which tasks 'sheaf run' would run again and why; --from TASK then means --from-task TASK.",
            "Example: sheaf plan workflow.json --model kth-like --start 2d"
        })
public final class PlanCommand extends SheafCommand {
    @Parameters(index = "0", paramLabel = "WORKFLOW", description = "The workflow.")
    String file = "";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "-- OPTION",
            description = "Further options for sbatch, qsub or oarsub, after --.")
    List<String> passedOn = new ArrayList<>();

    @Option(
            names = "--on",
            paramLabel = "SYSTEM",
            description =
                    "Plan for the current queue of a batch system: slurm, gridengine, oar. With a single strategy, print the job scripts.")
    private @Nullable String on;

    @Mixin
    BatchOptions batch = new BatchOptions();

    @Option(
            names = "--strategies",
            paramLabel = "LIST",
            description = "Comma-separated list of strategies (default: ${DEFAULT-VALUE}).")
    String strategies = "all";

    @Option(
            names = "--start",
            paramLabel = "TIME",
            description =
                    "Time to plan at, counted from the first job of the log or --from (default: ${DEFAULT-VALUE}).")
    String start = "1d";

    @Mixin
    RerunOptions rerunOptions = new RerunOptions();

    @Mixin
    WorkDirOption workDir = new WorkDirOption();

    @Mixin
    RunOptions options = new RunOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (on != null) {
            return onBatchSystem();
        }
        if (options.log == null && options.cluster.model == null) {
            return whatRuns();
        }
        options.check();
        var setup = options.setup();
        JobLimits limits = options.cluster.scheduling.jobLimits();
        Workflow workflow = options.read(file).fitting(setup.node(), limits.units(), limits.walltime());
        RunTimes times = new RunTimes(workflow, setup.profile().planOrder(), setup.node());
        check(workflow, limits);
        List<String> names = StrategyList.of(strategies);
        names.forEach(name -> Strategies.named(name, times, setup.profile()));
        Background cluster = options.background(session().err());
        check(workflow, cluster.policy().largest());
        long at = OptionText.millis("--start", start);
        Checkpoints queue = new Checkpoints(cluster.jobs(), cluster.policy(), cluster.nodes(), new long[] {at}, at);
        Map<String, PlanForecast> forecasts = new LinkedHashMap<>();
        for (String name : names) {
            forecasts.put(name, PlanForecast.of(queue.fork(0), at, times, name, setup));
        }
        PlanTable table = new PlanTable(workflow, forecasts, cluster.policy().pools());
        if (json) {
            table.printJson(session().out(), out -> {}, null);
        } else {
            session().out().println(file + " on " + cluster.text() + ", after " + start);
            session().out().println();
            table.print(session().out());
        }
        return ExitStatus.DONE;
    }

    /** Refuses a workflow with a task that no job may run. */
    private void check(Workflow workflow, JobLimits limits) {
        try {
            limits.check(workflow);
        } catch (InputException e) {
            throw e.in(file);
        }
    }

    /** Without a queue: shows which tasks would run again, and why. */
    private int whatRuns() throws IOException {
        RunWorkflow source = source();
        Rerun rerun = source.rerun(rerunOptions);
        Workflow workflow = source.current();
        RerunText text = new RerunText(workflow, rerun);
        print(
                out -> {
                    text.print(out.field("workflow", workflow.name()).field("tasks", workflow.size()));
                    RerunText.later(out, source.deferred());
                },
                out -> {
                    text.print(out);
                    source.deferred().forEach(group -> out.println("  later: " + group.text()));
                });
        return ExitStatus.DONE;
    }

    /** The workflow with the groups over files of completed tasks; {@code --from} names tasks here, since there is no log. */
    private RunWorkflow source() throws IOException {
        Path folder = workDir.folder(session(), file);
        RunWorkflow source = new RunWorkflow(options.reading(), file, workDir.workDir == null ? null : folder, folder);
        source.addKnown(rerunOptions);
        RunOptions.notEmpty(source.current(), file);
        String from = options.cluster.trace.from;
        if (from != null) {
            rerunOptions.addFrom(List.of(from.split(",", -1)), source.current(), "a time in a log (no log is given)");
        }
        return source;
    }

    private static boolean hasCommands(Workflow workflow) {
        return IntStream.range(0, workflow.size()).noneMatch(task -> workflow.command(task) == null);
    }

    private int onBatchSystem() throws IOException, InterruptedException {
        String system = String.valueOf(on);
        Placement where = Clusters.where(system, batch, passedOn, session());
        UsageException.unless(
                options.log == null && options.cluster.model == null && options.isRunValid(),
                "--on: name a batch system, without --trace and --model");
        UsageException.unless(
                !where.equals(Placement.LOCAL),
                "--on local: the embedded cluster exists only during a run; 'sheaf run --dry-run' shows its plan");
        if (!where.isSeveral()) {
            return onOne(where);
        }
        UsageException.unless(!json, "--json: name one site, not " + system);
        for (Site site : where.sites()) {
            session().out().println("site " + site.name() + ":");
            if (site.isLocal()) {
                session().out().println("virtual nodes of this machine; jobs start at once");
            } else {
                onOne(Placement.of(List.of(site)));
            }
            session().out().println();
        }
        return ExitStatus.DONE;
    }

    /** The plans for a cluster by itself. */
    private int onOne(Placement where) throws IOException, InterruptedException {
        BatchCommands commands = Clusters.commands(where, session());
        UsageException.unless(
                commands.canEstimate(), "--on " + where.system() + ": its queue cannot be read for estimates");
        Nodes available = commands.nodes(where.options());
        int cores = isGiven("--cores-per-node") ? options.coresPerNode : available.cores();
        Pools pools = commands.pools(where.options(), cores, !isGiven("--cores-per-node"));
        int maxNodes = pools.count() == 0 ? available.count() : pools.maxNodes();
        RunWorkflow source = source();
        Rerun rerun = source.rerun(rerunOptions);
        source.deferred().forEach(group -> note("note: " + file + ": " + group.text()));
        Workflow workflow = source.current();
        Workflow part = rerun.part();
        if (part == null) {
            return whatRuns();
        }
        RunSpec spec = new RunSpecBuilder(BatchPlan.ID, part.name(), workDir.folder(session(), file), "auto")
                .nodes(
                        options.cluster.nodes == null ? maxNodes : options.cluster.nodes,
                        Resources.node(
                                        cores,
                                        PlaceOptions.forTasks(available.memory()),
                                        Math.max(available.gpus(), RunCommand.maxGpus(part)))
                                .named(available.named()))
                .on(where)
                .pools(pools)
                .build()
                .forTasks(part);
        part = spec.fitting(part);
        try {
            if (hasCommands(part)) {
                Clusters.of(where, session(), new ManagerOptions()).check(spec, part);
            } else {
                Preflight.checkNeeds(part, spec, commands.system().has(BatchSystem.Feature.FIXED_NODES));
            }
        } catch (InputException e) {
            throw e.in(file);
        }
        part = TimeKeeper.planned(session().state(), spec, part, session()::note);
        BatchPlan plan = new BatchPlan(
                commands, part, spec, options.cluster.conventions().profile(), options.cap, session());
        Map<String, PlanForecast> forecasts = plan.forecasts(StrategyList.of(strategies));
        RerunText text = new RerunText(workflow, rerun);
        if (json) {
            plan.printJson(forecasts, text);
        } else {
            if (!rerun.isFirst()) {
                text.print(session().out());
                session().out().println();
            }
            plan.print(file, forecasts);
        }
        return ExitStatus.DONE;
    }
}
