package io.sheaf.app;

import io.sheaf.sim.BackgroundCost;
import io.sheaf.sim.Checkpoints;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.DecimalText;
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
            "Example: sheaf simulate workflow.json --model kth-like --start 2d --strategy glume"
        })
final class SimulateCommand extends SheafCommand {
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
            paramLabel = "S",
            defaultValue = "glume",
            description = "Which strategy (${DEFAULT-VALUE}).")
    String strategy = "glume";

    @Mixin
    RunOptions how = new RunOptions();

    @Override
    public Integer call() {
        String misuse = cluster.misuse(log) != null ? cluster.misuse(log) : how.misuse();
        if (misuse != null) {
            throw new ParameterException(commandLine(), misuse);
        }
        Workflow workflow = how.read(file);
        Conventions conventions = cluster.conventions();
        WorkflowSimulation.Setup setup = how.setup(conventions, cluster.seed);
        RunTimes times = new RunTimes(workflow, setup.profile().planOrder(), setup.coresPerNode());
        var chosen = Strategies.named(strategy, times, setup.profile());
        Background others = cluster.background(log, session().err());
        long at = TimeText.millis(start);
        Checkpoints background = new Checkpoints(others.jobs(), others.policy(), others.nodes(), new long[] {at}, at);
        SimulatedQueue queue = background.fork(0);
        BackgroundCost cost = new BackgroundCost(until -> background.baseline(0, until), FOLLOWED);
        cost.begin(queue);
        DecisionLog decisions = new DecisionLog();
        SimulatedRun run = WorkflowSimulation.run(queue, at, workflow, chosen, setup, decisions, cost);
        cost.finish(queue);
        if (json) {
            printJson(
                    run,
                    conventions.makespanMillis(run),
                    cost,
                    decisions,
                    session().out());
        } else {
            session()
                    .out()
                    .println(workflow.name() + " with " + chosen.name() + " on " + others.text() + ", after " + start);
            session().out().println();
            print(run, conventions.makespanMillis(run), cost, session().out());
        }
        if (!run.completed()) {
            session().err().println("sheaf: the workflow did not complete");
        }
        return run.completed() ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    private static void printJson(
            SimulatedRun run, long makespan, BackgroundCost cost, DecisionLog decisions, PrintWriter writer) {
        try (JsonOut out = new JsonOut(writer)) {
            out.object()
                    .seconds("makespanSeconds", makespan * 1000)
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

    private static void print(SimulatedRun run, long makespan, BackgroundCost cost, PrintWriter out) {
        line(out, "makespan", Rounded.time(makespan));
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
