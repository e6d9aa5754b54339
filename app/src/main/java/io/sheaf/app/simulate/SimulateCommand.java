package io.sheaf.app.simulate;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.OutputFile;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.platform.PlatformOptions;
import io.sheaf.app.report.DecisionsJson;
import io.sheaf.app.report.RunPage;
import io.sheaf.app.report.RunPicture;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Runs a workflow through a simulated queue with one strategy. */
@Command(
        name = "simulate",
        description = "Runs a workflow through a cluster's queue, simulated, and tells what it came to.",
        footer = {
            "",
            "Strategies: auto, portfolio, onejob, onejobpertask, levelbylevel, giant, individual, zhang, hybrid,",
            "glume, bigjob, perstage, asa, asa-naive;",
            "parameters behind a colon: zhang:global=false.",
            "Example: sheaf simulate workflow.json --model kth-like --start 2d --strategy glume",
            "Example: sheaf simulate examples/small-workflow.yaml --model kth-like --start 1h --svg run.svg",
            "Example: sheaf simulate workflow.json --platform P4 --algorithm portfolio --html run.html"
        })
public final class SimulateCommand extends SheafCommand {
    private static final long HOUR = 3_600_000;

    @Mixin
    SimulationOptions options = new SimulationOptions();

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description =
                    "Also write a page: jobs and tasks over time, the load, decisions; on a platform a Gantt chart.")
    @Nullable
    String html;

    @Option(
            names = "--svg",
            paramLabel = "FILE",
            description =
                    "Also draw a picture: everybody's jobs on the nodes, ours with their tasks, and how they waited.")
    @Nullable
    String svg;

    @Mixin
    PlatformOptions platform = new PlatformOptions();

    @Override
    public Integer call() {
        if (platform.isAsked()) {
            return onPlatform();
        }
        Simulation simulation = options.run(commandLine(), session().err());
        String page = html;
        if (page != null) {
            OutputFile.write(page, page(simulation)::write);
        }
        String picture = svg;
        if (picture != null) {
            OutputFile.write(picture, out -> out.write(new RunPicture(simulation.record(), simulation.others()).svg()));
        }
        if (json) {
            printJson(simulation, session().out());
        } else {
            session().out().println(simulation.title());
            session().out().println();
            print(simulation, session().out());
        }
        if (!simulation.run().completed()) {
            session().err().println("sheaf: the workflow did not complete");
        }
        return simulation.run().completed() ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    /** Several clusters without a queue; there, --model is the platform's. */
    private int onPlatform() {
        if (svg != null) {
            throw new ParameterException(
                    commandLine(), "--svg is for a queue; with a --platform the page of --html has a chart");
        }
        if (options.log != null) {
            throw new ParameterException(commandLine(), "name a --trace or a --platform, one of them");
        }
        return platform.run(this, options.how.read(options.file), options.cluster.model, html);
    }

    private static RunPage page(Simulation simulation) {
        return new RunPage(
                simulation.record(),
                simulation.where(),
                simulation.load(),
                Map.of(
                        "others wait longer",
                        Rounded.time(Math.round(1000 * simulation.cost().meanSeconds()))));
    }

    private static void printJson(Simulation simulation, PrintWriter writer) {
        SimulatedRun run = simulation.run();
        try (JsonOut out = new JsonOut(writer)) {
            out.object()
                    .seconds("makespanSeconds", simulation.makespan() * 1000)
                    .seconds("waitSeconds", run.waitMillis() * 1000)
                    .seconds("perceivedWaitSeconds", run.perceivedWaitMillis() * 1000)
                    .decimal("nodeHoursUsed", hours(run.usedNodeMillis()), 4)
                    .decimal("nodeHoursHeld", hours(run.heldNodeMillis()), 4)
                    .decimal("nodeHoursIdle", hours(run.heldNodeMillis() - run.usedNodeMillis()), 4)
                    .field("jobsSubmitted", run.jobsSubmitted())
                    .field("jobsExpired", run.jobsExpired())
                    .field("tasksRerun", run.tasksRerun())
                    .decimal("backgroundMeanWaitDeltaSeconds", simulation.cost().meanSeconds(), 3);
            DecisionsJson.print(out, simulation.record());
            out.end();
        }
    }

    private static void print(Simulation simulation, PrintWriter out) {
        SimulatedRun run = simulation.run();
        line(out, "makespan", Rounded.time(simulation.makespan()));
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
                DecimalText.fixed(simulation.cost().meanSeconds(), 1) + " s more wait in the mean of "
                        + Rounded.count(simulation.cost().jobs()) + " jobs");
    }

    private static void line(PrintWriter out, String what, String value) {
        out.println(String.format(Locale.ROOT, "%-18s", what) + value);
    }

    private static double hours(long nodeMillis) {
        return nodeMillis / (double) HOUR;
    }
}
