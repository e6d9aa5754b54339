package io.sheaf.app;

import io.sheaf.manager.Strategy;
import io.sheaf.predict.LearntWaits;
import io.sheaf.predict.WaitMemory;
import io.sheaf.report.DecisionLog;
import io.sheaf.sim.BackgroundCost;
import io.sheaf.sim.BackgroundWatch;
import io.sheaf.sim.Checkpoints;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Workflow;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** One workflow, one strategy, one instant on a simulated cluster: the options of the commands that tell about such a run. */
final class SimulationOptions {
    private static final long HOUR = 3_600_000;
    /** Others' jobs that still wait when our run is over are followed for so long. */
    private static final long FOLLOWED = 7 * 24 * HOUR;

    @Parameters(paramLabel = "WORKFLOW", description = "The workflow.")
    String file = "";

    @Option(names = "--trace", paramLabel = "FILE", description = "A job log, SWF or 'sacct --parsable2'.")
    @Nullable
    String log;

    @Mixin
    ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--start",
            paramLabel = "TIME",
            defaultValue = "1d",
            description =
                    "When the workflow is submitted, after the first job of the log and --from (${DEFAULT-VALUE}).")
    String start = "1d";

    @Option(
            names = "--strategy",
            completionCandidates = Candidates.StrategyNames.class,
            paramLabel = "S",
            defaultValue = "glume",
            description = "Which strategy (${DEFAULT-VALUE}).")
    String strategy = "glume";

    @Mixin
    RunOptions how = new RunOptions();

    /** Simulates as the options say, and records it. */
    Simulation run(CommandLine commandLine, PrintWriter err) {
        String misuse = cluster.misuse(log) != null ? cluster.misuse(log) : how.misuse();
        if (misuse != null) {
            throw new ParameterException(commandLine, misuse);
        }
        Workflow workflow = how.read(file);
        Conventions conventions = cluster.conventions();
        WaitMemory waits = new LearntWaits(LearntWaits.Settings.PAPER);
        WorkflowSimulation.Setup setup =
                how.setup(conventions, cluster.seed).recorded().learning(waits);
        RunTimes times = new RunTimes(workflow, setup.profile().planOrder(), setup.coresPerNode());
        Strategy chosen = Strategies.named(strategy, times, setup.profile(), waits);
        Background others = cluster.background(log, err);
        long at = TimeText.millis(start);
        Checkpoints background = new Checkpoints(others.jobs(), others.policy(), others.nodes(), new long[] {at}, at);
        SimulatedQueue queue = background.fork(0);
        BackgroundCost cost = new BackgroundCost(until -> background.baseline(0, until), FOLLOWED);
        cost.begin(queue);
        BackgroundWatch watch = new BackgroundWatch(queue, at, cost);
        DecisionLog decisions = new DecisionLog();
        SimulatedRun run = WorkflowSimulation.run(queue, at, workflow, chosen, setup, decisions, watch);
        var load = watch.until(queue.now());
        cost.finish(queue);
        return new Simulation(
                run.record(workflow, chosen.name(), others.nodes(), setup.coresPerNode(), decisions.decisions()),
                run,
                conventions.makespanMillis(run),
                cost,
                load,
                others.text() + ", after " + start);
    }
}
