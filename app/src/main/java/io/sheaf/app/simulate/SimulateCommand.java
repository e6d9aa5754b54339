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
import io.sheaf.sim.BackgroundCost;
import io.sheaf.sim.SimulatedRun;
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
    private static final Fields<SimulatedRun> RUN = new Fields<SimulatedRun>()
            .time("queue wait", "waitSeconds", SimulatedRun::waitMillis)
            .time("no job running", "perceivedWaitSeconds", SimulatedRun::perceivedWaitMillis)
            .nodeHours("nodeHoursUsed", 4, SimulatedRun::usedNodeMillis)
            .nodeHours("nodeHoursHeld", 4, SimulatedRun::allocatedNodeMillis)
            .nodeHours("nodeHoursIdle", 4, run -> run.allocatedNodeMillis() - run.usedNodeMillis())
            .left(
                    "node-hours",
                    run -> Rounded.hours(run.allocatedNodeMillis()) + " allocated, "
                            + Rounded.hours(run.usedNodeMillis()) + " used")
            .count("jobsSubmitted", SimulatedRun::jobsSubmitted)
            .count("jobsExpired", SimulatedRun::jobsExpired)
            .left("pilot jobs", run -> run.jobsSubmitted() + " submitted, " + run.jobsExpired() + " expired")
            .count("tasks rerun", "tasksRerun", SimulatedRun::tasksRerun);

    private static final Fields<BackgroundCost> COST = new Fields<BackgroundCost>()
            .decimal("backgroundMeanWaitDeltaSeconds", 3, BackgroundCost::meanSeconds)
            .left(
                    "background jobs",
                    cost -> "queue wait " + Rounded.time(Math.round(1000 * Math.abs(cost.meanSeconds())))
                            + (cost.meanSeconds() < 0 ? " shorter" : " longer") + ", mean of "
                            + Rounded.count(cost.jobs()) + " jobs");

    private static final Fields<Simulation> FIGURES = new Fields<Simulation>()
            .time("makespan", "makespanSeconds", Simulation::makespan)
            .of(RUN, Simulation::run)
            .of(COST, Simulation::cost);

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
