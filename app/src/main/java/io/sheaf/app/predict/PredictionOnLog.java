package io.sheaf.app.predict;

import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.HelpHeading;
import io.sheaf.app.cli.OptionText;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.UsageException;
import io.sheaf.app.simulate.Background;
import io.sheaf.app.simulate.ClusterOptions;
import io.sheaf.app.simulate.LoadedTrace;
import io.sheaf.app.simulate.PolicyOptions;
import io.sheaf.app.simulate.TraceOptions;
import io.sheaf.batch.Pools;
import io.sheaf.formats.swf.SwfLog;
import io.sheaf.predict.StartQuery;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.ForecastEvaluation.EvaluationSettings;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.WaitForecast;
import io.sheaf.sim.WaitForecaster;
import io.sheaf.text.InputException;
import io.sheaf.text.Rounded;
import io.sheaf.text.SizeText;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Estimates the start of a job in the queue of a log, with intervals, or evaluates such estimates. */
final class PredictionOnLog {
    static final int MIN_DRAWS = 20;

    private static final int DAYS = 60;

    static final Fields<WaitForecast> WAITS = new Fields<WaitForecast>()
            .time("by walltimes", "schedulerSeconds", WaitForecast::scheduler)
            .time("median wait", "medianSeconds", each -> each.waits().median())
            .left(
                    "50 % interval",
                    each -> range(each.waits().low50(), each.waits().high50()))
            .left(
                    "90 % interval",
                    each -> range(each.waits().low90(), each.waits().high90()))
            .time("low50Seconds", each -> each.waits().low50())
            .time("high50Seconds", each -> each.waits().high50())
            .time("low90Seconds", each -> each.waits().low90())
            .time("high90Seconds", each -> each.waits().high90());

    @HelpHeading(HelpHeading.LOG)
    @Option(
            names = "--trace",
            paramLabel = "LOG",
            description = "Job log: SWF, or the output of 'sacct --parsable2'; may be gzipped.")
    @Nullable
    String trace;

    @HelpHeading(HelpHeading.LOG)
    @Option(
            names = "--model",
            paramLabel = "NAME",
            description = "Use a generated load instead of a log; 'sheaf replay --list' lists the models.")
    @Nullable
    String model;

    @HelpHeading(HelpHeading.LOG)
    @Option(
            names = "--days",
            paramLabel = "D",
            description = "Length of the generated load in days (default: " + DAYS + ").")
    int days;

    @HelpHeading(HelpHeading.LOG)
    @Option(names = "--seed", paramLabel = "S", description = "Random seed (default: ${DEFAULT-VALUE}).")
    long seed;

    @HelpHeading(HelpHeading.LOG)
    @Option(
            names = "--nodes-in-cluster",
            paramLabel = "N",
            description = "Nodes of the cluster (default: from the log's header, or the model).")
    private @Nullable Integer clusterNodes;

    @Mixin
    PolicyOptions scheduling = new PolicyOptions();

    @Mixin
    TraceOptions rules = new TraceOptions();

    private @Nullable LoadedTrace loaded;

    @Option(
            names = "--start",
            paramLabel = "TIME",
            description = "Submission time, counted from the first job of the log (default: ${DEFAULT-VALUE}).")
    String start = "20d";

    @Option(
            names = "--draws",
            paramLabel = "K",
            description = "Number of sampled futures per estimate (default: ${DEFAULT-VALUE}).")
    int draws = 100;

    @Option(
            names = "--evaluate",
            description =
                    "Measure the accuracy of estimates: on jobs of the log or, with --on, on jobs that all users queue.")
    boolean evaluate;

    @Option(
            names = "--weeks",
            paramLabel = "W",
            description = "Number of weeks to sample, from the second half of the log (default: ${DEFAULT-VALUE}).")
    int weeks = 4;

    @Option(
            names = {"--jobs-per-week", "--jobs-a-week"},
            paramLabel = "J",
            description = "Number of jobs to sample per week (default: ${DEFAULT-VALUE}).")
    int jobsAWeek = 150;

    boolean isGiven() {
        return trace != null || model != null;
    }

    void check(int nodes, String time) {
        UsageException.unless(
                (trace == null) != (model == null),
                "give either --trace or --model; 'sheaf replay --list' lists the models");
        ClusterOptions.checkDays(days, trace);
        UsageException.unless(
                draws >= MIN_DRAWS && weeks >= 1 && jobsAWeek >= 1,
                "--draws must be at least 20, --weeks and --jobs-per-week at least 1");
        UsageException.unless(
                !evaluate || (nodes == 0 && time.isEmpty()),
                "--evaluate samples jobs of the log; remove --nodes and --time");
        UsageException.unless(
                evaluate || (nodes != 0 && !time.isEmpty()),
                "give the job's size: --nodes N --time T; or use --evaluate");
    }

    void print(SheafCommand command, int nodes, String time, long memory) {
        Background background = background(command.session().err());
        if (background.jobs().size() == 0) {
            throw new InputException("no jobs to replay").in(background.name());
        }
        if (!evaluate) {
            print(command, background, nodes, time, memory);
            return;
        }
        EvaluationSettings settings = new EvaluationSettings(weeks, jobsAWeek, draws, seed);
        PredictionReport report = PredictionReport.of(background, logged(), settings);
        command.print(report::fields, report::print);
    }

    private void print(SheafCommand command, Background background, int nodes, String time, long memory) {
        if (nodes < 1 || nodes > background.nodes()) {
            throw new InputException("--nodes: " + nodes + " requested, the cluster has " + background.nodes());
        }
        if (memory > scheduling.memory()) {
            throw new InputException("--mem: " + SizeText.rounded(memory) + " requested on a node, a node has "
                    + SizeText.rounded(scheduling.memory()));
        }
        long walltime = OptionText.millis("--time", time);
        long at = OptionText.millis("--start", start);
        background.warnBeyond(at, command.session().err());
        SimulatedQueue queue = new SimulatedQueue(background.jobs(), background.policy(), background.nodes());
        queue.advanceTo(at);
        WaitForecast forecast = WaitForecaster.in(
                queue.known(),
                StartQuery.of(at, Pools.ANY, nodes, Math.max(1, walltime)).needing(memory),
                new WaitForecaster.ForecastSettings(draws, seed));
        command.print(
                out -> {
                    out.field("nodes", nodes).seconds("requestedSeconds", walltime * 1000);
                    WAITS.fields(out, forecast);
                    out.field("basis", "sampled").field("draws", draws);
                },
                out -> {
                    out.println(background.text() + ", " + start + " after its first job");
                    out.println();
                    WAITS.lines(out, forecast);
                });
    }

    private static String range(long low, long high) {
        return Rounded.time(low) + " to " + Rounded.time(high);
    }

    /** The cluster with all jobs; its time begins with the first. */
    private Background background(PrintWriter err) {
        Conventions conventions = Conventions.OWN;
        if (clusterNodes != null && clusterNodes < 1) {
            throw new InputException("--nodes-in-cluster: must be at least 1, is " + clusterNodes);
        }
        scheduling.policy(conventions);
        scheduling.memory();
        rules.rules(1, conventions);
        LoadedTrace read = model != null
                ? LoadedTrace.model(model, seed, days > 0 ? days : DAYS, 0)
                : LoadedTrace.read(List.of(trace == null ? "" : trace), rules.reading, err);
        loaded = read;
        return Background.of(read, clusterNodes, conventions, scheduling, rules);
    }

    /** The recorded waits by job number, in milliseconds; omits jobs without one. */
    private Map<Integer, Long> logged() {
        Map<Integer, Long> waits = new HashMap<>();
        SwfLog log = loaded == null || model != null ? null : loaded.log();
        for (int i = 0; log != null && i < log.size(); i++) {
            if (log.waited(i) >= 0) {
                waits.put(log.job(i), log.waited(i));
            }
        }
        return waits;
    }
}
