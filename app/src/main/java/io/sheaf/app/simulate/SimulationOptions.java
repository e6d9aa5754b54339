package io.sheaf.app.simulate;

import io.sheaf.app.cli.HelpHeading;
import io.sheaf.app.cli.OptionText;
import io.sheaf.app.cli.StrategyOption;
import io.sheaf.app.cli.UsageException;
import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Multifactor;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.LearnedWaits;
import io.sheaf.predict.WaitMemory;
import io.sheaf.report.DecisionLog;
import io.sheaf.sim.BackgroundCost;
import io.sheaf.sim.BackgroundRecorder;
import io.sheaf.sim.Checkpoints;
import io.sheaf.sim.ObservedWaits;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.strategy.PerWorkflow;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.PrintWriter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options of a single simulated run: workflow, strategy, submission time and cluster. */
public final class SimulationOptions {
    private static final long HOUR = 3_600_000;
    /** Time for which queued background jobs are followed after the end of the run. */
    private static final long FOLLOWED = 7 * 24 * HOUR;

    @Parameters(paramLabel = "WORKFLOW", arity = "0..1", description = "The workflow file.")
    public String file = "";

    @Option(
            names = "--start",
            paramLabel = "TIME",
            description =
                    "Submission time of the workflow, counted from the first job of the log or --from (default: ${DEFAULT-VALUE}).")
    String start = "1d";

    @Mixin
    StrategyOption strategy = new StrategyOption();

    @Mixin
    KnownTimesOption times = new KnownTimesOption();

    @HelpHeading(HelpHeading.PLANNING)
    @Option(
            names = {"--learn-from-log", "--seen-waits"},
            description = "Initialize learned queue waits from the jobs in the log before --start.")
    boolean observedWaits;

    @Mixin
    RunOptions runOptions = new RunOptions();

    /** The workflow file, which a simulation needs. */
    String file() {
        UsageException.unless(!file.isEmpty(), "Missing required parameter: 'WORKFLOW'");
        return file;
    }

    /** Simulates and records a run. */
    public Simulation run(PrintWriter err) {
        runOptions.check();
        times.check();
        LearnedWaits waits = new LearnedWaits(LearnedWaits.LearnerSettings.PAPER);
        SimulationSetup plain = runOptions.setup().recording(true).learning(waits);
        JobLimits limits = runOptions.cluster.scheduling.jobLimits();
        Workflow workflow = runOptions.read(file()).fitting(plain.node(), limits.units(), limits.walltime());
        RunOptions.noteUnknownTimes(file(), workflow, err);
        SimulationSetup setup = times.known().setup(plain, workflow);
        Workflow known = times.known().shown(workflow);
        check(workflow, limits);
        Strategy chosen = strategy(known, setup, waits);
        Background cluster = runOptions.background(err);
        check(workflow, cluster.policy().largest());
        long at = OptionText.millis("--start", start);
        cluster.warnBeyond(at, err);
        if (observedWaits) {
            ObservedWaits.report(waits, cluster.jobs(), cluster.policy(), cluster.nodes(), at);
        }
        Checkpoints background =
                new Checkpoints(cluster.jobs(), cluster.policy(), cluster.nodes(), new long[] {at}, at);
        SimulatedQueue queue = background.fork(0);
        BackgroundCost cost = new BackgroundCost(until -> background.baseline(0, until), FOLLOWED);
        cost.begin(queue);
        BackgroundRecorder recorder = new BackgroundRecorder(queue, at, cost);
        Multifactor priority = cluster.policy().order().multifactor();
        double share = queue.engine().ownFairShare(queue.now());
        DecisionLog decisions = new DecisionLog();
        SimulatedRun run = WorkflowSimulation.run(queue, at, known, chosen, setup, decisions, recorder, null);
        var load = recorder.until(queue.now());
        Simulation.FairShareCost use = priority == null
                ? null
                : new Simulation.FairShareCost(share, queue.engine().ownFairShare(queue.now()), priority);
        cost.finish(queue);
        return new Simulation(
                run.record(
                        workflow, chosen.name(), cluster.nodes(), setup.node().cores(), decisions.decisions()),
                run,
                cluster.conventions().makespanMillis(run),
                cost,
                load,
                recorder.jobs(),
                cluster.text() + ", after " + start,
                use);
    }

    /** Refuses a workflow with a task that no job may run. */
    private void check(Workflow workflow, JobLimits limits) {
        try {
            limits.check(workflow);
        } catch (InputException e) {
            throw e.in(file());
        }
    }

    private Strategy strategy(Workflow known, SimulationSetup setup, WaitMemory waits) {
        PerWorkflow.Maker maker =
                each -> Strategies.named(strategy.name, runTimes(each, setup), setup.profile(), waits);
        return times.known().strategy(known, setup, maker);
    }

    /** The run-time tables of a workflow whose tasks must fit on a node. */
    private RunTimes runTimes(Workflow workflow, SimulationSetup setup) {
        return InputException.in(
                file, () -> new RunTimes(workflow, setup.profile().planOrder(), setup.node()));
    }
}
