package io.sheaf.app.simulate;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.OutputFile;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.UsageException;
import io.sheaf.app.platform.PlatformOptions;
import io.sheaf.app.report.Explanation;
import io.sheaf.app.report.RunPage;
import io.sheaf.app.report.RunPicture;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Simulates a workflow in a queue with one strategy. */
@Command(
        name = "simulate",
        description = "Simulate a run of a workflow in a cluster's queue and show makespan, waits and node-hours.",
        footer = {
            "",
            "Strategies: auto, portfolio, onejob, onejobpertask, levelbylevel, giant, individual, zhang, hybrid,",
            "glume, bigjob, perstage, asa, asa-naive;",
            "parameters follow a colon: zhang:global=false.",
            "Example: sheaf simulate workflow.json --model kth-like --start 2d --strategy glume",
            "Example: sheaf simulate examples/small-workflow.yaml --model kth-like --start 1h --svg run.svg",
            "Example: sheaf simulate workflow.json --platform P4 --algorithm portfolio --html run.html"
        })
public final class SimulateCommand extends SheafCommand {
    private static final Fields<Simulation> FIGURES = new Fields<Simulation>()
            .time("makespan", "makespanSeconds", Simulation::makespan)
            .time("queue wait", "waitSeconds", simulation -> simulation.run().waitMillis())
            .time("no job running", "perceivedWaitSeconds", simulation -> simulation
                    .run()
                    .perceivedWaitMillis())
            .nodeHours("nodeHoursUsed", 4, simulation -> simulation.run().usedNodeMillis())
            .nodeHours("nodeHoursHeld", 4, simulation -> simulation.run().allocatedNodeMillis())
            .nodeHours(
                    "nodeHoursIdle",
                    4,
                    simulation -> simulation.run().allocatedNodeMillis()
                            - simulation.run().usedNodeMillis())
            .left(
                    "node-hours",
                    simulation -> Rounded.hours(simulation.run().allocatedNodeMillis()) + " allocated, "
                            + Rounded.hours(simulation.run().usedNodeMillis()) + " used")
            .count("jobsSubmitted", simulation -> simulation.run().jobsSubmitted())
            .count("jobsExpired", simulation -> simulation.run().jobsExpired())
            .left(
                    "pilot jobs",
                    simulation -> simulation.run().jobsSubmitted() + " submitted, "
                            + simulation.run().jobsExpired() + " expired")
            .count("tasks rerun", "tasksRerun", simulation -> simulation.run().tasksRerun())
            .decimal("backgroundMeanWaitDeltaSeconds", 3, simulation -> simulation
                    .cost()
                    .meanSeconds())
            .left(
                    "background jobs",
                    simulation -> "queue wait "
                            + DecimalText.fixed(simulation.cost().meanSeconds(), 1) + " s longer, mean of "
                            + Rounded.count(simulation.cost().jobs()) + " jobs");

    @Mixin
    SimulationOptions options = new SimulationOptions();

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description =
                    "Also write an HTML page: jobs and tasks over time, load, decisions; on a platform a Gantt chart.")
    private @Nullable String html;

    @Option(
            names = "--svg",
            paramLabel = "FILE",
            description = "Also write an SVG chart: background and pilot jobs on the nodes, tasks and queue waits.")
    private @Nullable String svg;

    @Mixin
    PlatformOptions platform = new PlatformOptions();

    @Override
    public Integer call() {
        if (platform.isRequested()) {
            return onPlatform();
        }
        Simulation simulation = options.run(session().err());
        Simulation.FairShareCost use = simulation.use();
        String page = html;
        if (page != null) {
            OutputFile.write(page, page(simulation)::write);
        }
        String picture = svg;
        if (picture != null) {
            OutputFile.write(
                    picture, out -> out.write(new RunPicture(simulation.record(), simulation.neighbours()).svg()));
        }
        print(
                out -> {
                    FIGURES.fields(out, simulation);
                    if (use != null) {
                        use.fields(out);
                    }
                    new Explanation(simulation.record()).decisions(out);
                },
                out -> {
                    out.println(simulation.title());
                    out.println();
                    FIGURES.lines(out, simulation);
                    if (use != null) {
                        out.println(use.text());
                    }
                });
        if (!simulation.run().completed()) {
            note("the workflow did not complete");
        }
        return simulation.run().completed() ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    /** Simulates several clusters without a queue; --model then selects the platform's model. */
    private int onPlatform() {
        UsageException.unless(svg == null, "--svg cannot be used with --platform; use --html");
        UsageException.unless(options.runOptions.log == null, "use only one of --trace and --platform");
        return platform.run(this, options.runOptions.read(options.file()), options.runOptions.cluster.model, html);
    }

    private static RunPage page(Simulation simulation) {
        return new RunPage(
                simulation.record(),
                simulation.where(),
                simulation.load(),
                Map.of(
                        "background wait increase",
                        Rounded.time(Math.round(1000 * simulation.cost().meanSeconds()))));
    }
}
