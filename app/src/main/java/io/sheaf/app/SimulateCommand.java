package io.sheaf.app;

import io.sheaf.sim.BackgroundCost;
import io.sheaf.sim.Checkpoints;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.TaskTimes;
import io.sheaf.sim.Trace;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.DecimalText;
import io.sheaf.text.InputException;
import io.sheaf.text.Rounded;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Workflow;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Runs a workflow through a simulated queue with one strategy. */
@Command(
        name = "simulate",
        description = "Runs a workflow through a cluster's queue, simulated, and tells what it came to.",
        footer = {
            "",
            "Strategies: onejob, onejobpertask, levelbylevel, giant, individual, zhang, glume;",
            "parameters behind a colon: zhang:global=false.",
            "Example: sheaf simulate workflow.json --model kth-like --start 2d --strategy glume",
            "On several clusters: sheaf simulate workflow.json --platform P4 --algorithm portfolio --html run.html"
        })
final class SimulateCommand extends SheafCommand {
    private static final int DAYS = 30;
    private static final long HOUR = 3_600_000;
    /** Others' jobs that still wait when our run is over are followed for so long. */
    private static final long FOLLOWED = 7 * 24 * HOUR;

    @Parameters(paramLabel = "WORKFLOW", description = "The workflow.")
    String file = "";

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "Its format; by default told by ending and content.")
    @Nullable
    String format;

    @Option(names = "--trace", paramLabel = "FILE", description = "A job log, SWF or 'sacct --parsable2'.")
    @Nullable
    String log;

    @Option(
            names = "--model",
            paramLabel = "NAME",
            description =
                    "Instead of a log: made up load; see 'sheaf replay --list'. With --platform: paper (default) or published.")
    @Nullable
    String model;

    @Option(
            names = "--days",
            paramLabel = "D",
            defaultValue = "" + DAYS,
            description = "How many days of the model (${DEFAULT-VALUE}).")
    int days;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Where the model's random numbers start (${DEFAULT-VALUE}).")
    long seed;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "Nodes of the cluster; by default those of the log or the model.")
    @Nullable
    Integer nodes;

    @Option(
            names = "--cores-per-node",
            paramLabel = "C",
            defaultValue = "1",
            description = "Cores of a node (${DEFAULT-VALUE}).")
    int coresPerNode;

    @Option(
            names = "--start",
            paramLabel = "TIME",
            defaultValue = "1d",
            description = "When the workflow is submitted, after the first job of the log (${DEFAULT-VALUE}).")
    String start = "1d";

    @Option(
            names = "--strategy",
            paramLabel = "S",
            defaultValue = "glume",
            description = "Which strategy (${DEFAULT-VALUE}).")
    String strategy = "glume";

    @Option(
            names = "--cap",
            paramLabel = "N",
            defaultValue = "16",
            description = "The most jobs of ours in the system at once (${DEFAULT-VALUE}).")
    int cap;

    @Mixin
    PolicyOptions scheduling = new PolicyOptions();

    @Mixin
    TraceOptions trace = new TraceOptions();

    @Mixin
    PlatformOptions platform = new PlatformOptions();

    @Override
    public Integer call() {
        if (platform.isAsked()) {
            return onPlatform();
        }
        if ((log == null) == (model == null)) {
            throw new ParameterException(commandLine(), "name a --trace or a --model, one of them");
        }
        if (coresPerNode < 1 || cap < 1 || days < 1) {
            throw new ParameterException(commandLine(), "--cores-per-node, --cap and --days: give 1 or more");
        }
        Workflow workflow = workflow();
        Profile profile = Profile.OWN;
        RunTimes times = new RunTimes(workflow, profile.planOrder(), coresPerNode);
        var chosen = Strategies.named(strategy, times, profile);
        LoadedTrace loaded = model != null
                ? LoadedTrace.model(model, seed, days, 0)
                : LoadedTrace.read(log == null ? "" : log, trace, session().err());
        int size = loaded.nodes(nodes, trace);
        Trace ready = trace.rules(size).apply(loaded.log());
        long at = TimeText.millis(start);
        Checkpoints background =
                new Checkpoints(ready.jobs(), scheduling.policy(), size, new long[] {at}, Long.MAX_VALUE - 1);
        SimulatedQueue queue = background.fork(0);
        BackgroundCost cost = new BackgroundCost(background.baseline(), FOLLOWED);
        cost.begin(queue);
        DecisionLog decisions = new DecisionLog();
        SimulatedRun run = WorkflowSimulation.run(
                queue,
                at,
                workflow,
                chosen,
                new WorkflowSimulation.Setup(profile, coresPerNode, cap, TaskTimes.AS_EXPECTED, false),
                decisions,
                cost);
        cost.finish(queue);
        if (json) {
            printJson(run, cost, decisions, session().out());
        } else {
            session()
                    .out()
                    .println(workflow.name() + " with " + chosen.name() + " on " + loaded.name() + ", "
                            + scheduling.text() + ", " + Rounded.count(size) + " nodes, after " + start);
            session().out().println();
            print(run, cost, session().out());
        }
        if (!run.completed()) {
            session().err().println("sheaf: the workflow did not complete");
        }
        return run.completed() ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    private Workflow workflow() {
        ReadOptions reading = new ReadOptions();
        reading.from = format;
        Workflow workflow = reading.read(file);
        if (workflow.size() == 0) {
            throw new InputException("a workflow without tasks has nothing to simulate").in(file);
        }
        return workflow;
    }

    /** Several clusters without a queue; there, --model is the platform's. */
    private int onPlatform() {
        if (log != null) {
            throw new ParameterException(commandLine(), "name a --trace or a --platform, one of them");
        }
        return platform.run(this, workflow(), model);
    }

    private static void printJson(SimulatedRun run, BackgroundCost cost, DecisionLog decisions, PrintWriter writer) {
        try (JsonOut out = new JsonOut(writer)) {
            out.object()
                    .seconds("makespanSeconds", run.makespanMillis() * 1000)
                    .seconds("waitSeconds", run.waitMillis() * 1000)
                    .seconds("perceivedWaitSeconds", run.perceivedWaitMillis() * 1000)
                    .decimal("nodeHoursUsed", hours(run.usedNodeMillis()), 4)
                    .decimal("nodeHoursHeld", hours(run.heldNodeMillis()), 4)
                    .decimal("nodeHoursIdle", hours(run.heldNodeMillis() - run.usedNodeMillis()), 4)
                    .field("jobsSubmitted", run.jobsSubmitted())
                    .field("jobsExpired", run.jobsExpired())
                    .field("tasksRerun", run.tasksRerun())
                    .decimal("backgroundMeanWaitDeltaSeconds", cost.meanSeconds(), 3);
            decisions.print(out, run.start());
            out.end();
        }
    }

    private static void print(SimulatedRun run, BackgroundCost cost, PrintWriter out) {
        line(out, "makespan", Rounded.time(run.makespanMillis()));
        line(out, "waits of jobs", Rounded.time(run.waitMillis()) + " in sum");
        line(out, "nothing running", Rounded.time(run.perceivedWaitMillis()));
        line(
                out,
                "node-hours",
                DecimalText.fixed(hours(run.usedNodeMillis()), 1) + " used, "
                        + DecimalText.fixed(hours(run.heldNodeMillis()), 1) + " held");
        line(out, "jobs", run.jobsSubmitted() + " submitted, " + run.jobsExpired() + " expired");
        line(out, "tasks run again", Integer.toString(run.tasksRerun()));
        line(
                out,
                "cost to others",
                DecimalText.fixed(cost.meanSeconds(), 1) + " s more wait in the mean of " + Rounded.count(cost.jobs())
                        + " jobs");
    }

    private static void line(PrintWriter out, String what, String value) {
        out.println(String.format(Locale.ROOT, "%-18s", what) + value);
    }

    private static double hours(long nodeMillis) {
        return nodeMillis / (double) HOUR;
    }
}
