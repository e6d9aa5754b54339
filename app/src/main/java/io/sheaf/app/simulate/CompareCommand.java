package io.sheaf.app.simulate;

import io.sheaf.app.cli.Candidates;
import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.OptionText;
import io.sheaf.app.cli.Progress;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.StrategyList;
import io.sheaf.app.cli.ThreadsOption;
import io.sheaf.batch.JobLimits;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.campaign.Campaign;
import io.sheaf.sim.campaign.CampaignResults;
import io.sheaf.sim.campaign.StrategyComparison;
import io.sheaf.sim.campaign.StrategyComparison.Row;
import io.sheaf.strategy.RunTimes;
import io.sheaf.text.DecimalText;
import io.sheaf.text.InputException;
import io.sheaf.text.Rounded;
import io.sheaf.workflow.Workflow;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Simulates workflows under several strategies and start times. */
@Command(
        name = "compare",
        description = "Simulate workflows under several strategies and start times and compare the results.",
        footer = {
            "",
            "Strategies: see 'sheaf simulate --help'; parameters follow a colon: zhang:global=false,sizing=false.",
            "Example: sheaf compare workflow.json --model kth-like --strategies zhang,glume --every 6h --for 6d"
        })
public final class CompareCommand extends SheafCommand {
    /** The maximum number of start times; more are probably a mistake in --every or --for. */
    private static final long MAX_STARTS = 1_000_000;

    @Parameters(arity = "1..*", paramLabel = "WORKFLOW", description = "Workflow files.")
    List<String> files = List.of();

    @Option(
            names = "--strategies",
            completionCandidates = Candidates.StrategyNames.class,
            paramLabel = "LIST",
            description = "Comma-separated list of strategies (default: ${DEFAULT-VALUE}).")
    String strategies = "all";

    @Option(
            names = "--baseline",
            completionCandidates = Candidates.StrategyNames.class,
            paramLabel = "S",
            description = "Baseline strategy; added to the list if missing (default: ${DEFAULT-VALUE}).")
    String baseline = "zhang";

    @Option(
            names = "--start",
            paramLabel = "TIME",
            description =
                    "First start time, counted from the first job of the log or --from (default: ${DEFAULT-VALUE}).")
    String start = "1d";

    @Option(
            names = "--every",
            paramLabel = "TIME",
            description = "Time between start times (default: ${DEFAULT-VALUE}).")
    String every = "30m";

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description = "Time from the first to the last start time (default: ${DEFAULT-VALUE}).")
    String length = "6d";

    @Mixin
    ThreadsOption threads = new ThreadsOption();

    @Mixin
    KnownTimesOption times = new KnownTimesOption();

    @Mixin
    RunOptions options = new RunOptions();

    @Override
    public Integer call() {
        options.check();
        times.check();
        threads.check();
        long[] starts = starts();
        List<Workflow> workflows = new ArrayList<>();
        files.forEach(file -> workflows.add(options.read(file)));
        List<String> names = new ArrayList<>(StrategyList.of(strategies));
        String against = StrategyList.normal(baseline);
        if (!names.contains(against)) {
            names.add(against);
        }
        var setup = options.setup();
        JobLimits limits = options.cluster.scheduling.jobLimits();
        for (int i = 0; i < workflows.size(); i++) {
            RunOptions.noteUnknownTimes(
                    files.get(i), workflows.get(i), session().err());
            check(files.get(i), workflows.get(i), limits, setup);
        }
        Background cluster = options.background(session().err());
        for (int i = 0; i < workflows.size(); i++) {
            check(files.get(i), workflows.get(i), cluster.policy().largest(), setup);
        }
        cluster.warnBeyond(starts[starts.length - 1], session().err());
        Campaign campaign = new Campaign(
                cluster.jobs(),
                cluster.policy(),
                cluster.nodes(),
                starts,
                cluster.conventions(),
                setup,
                workflows,
                names,
                times.known(),
                false);
        CampaignResults results = run(campaign);
        noteIncomplete(results);
        ComparisonReport report = new ComparisonReport(results, files, names.indexOf(against));
        print(report::fields, out -> {
            out.println(cluster.text() + "; " + starts.length + " start times, the first after " + start
                    + ", then every " + every + "; baseline " + against);
            report.print(out);
        });
        return ExitStatus.DONE;
    }

    /** Prints why runs could not complete, each reason once. */
    private void noteIncomplete(CampaignResults results) {
        Set<String> noted = new HashSet<>();
        for (int w = 0; w < results.workflows().size(); w++) {
            for (int s = 0; s < results.strategies().size(); s++) {
                for (int i = 0; i < results.starts(); i++) {
                    SimulatedRun run = results.run(w, s, i);
                    if (!run.completed() && noted.add(run.reason())) {
                        note(results.workflows().get(w).name() + " with "
                                + results.strategies().get(s) + " did not complete: " + run.reason());
                    }
                }
            }
        }
    }

    private long[] starts() {
        long first = OptionText.millis("--start", start);
        long step = OptionText.millis("--every", every);
        long span = OptionText.millis("--for", length);
        if (step == 0) {
            throw new InputException("--every: must be greater than 0, e.g. 30m");
        }
        if (span / step >= MAX_STARTS) {
            throw new InputException("--every " + every + " for " + length + " gives more than a million start times");
        }
        long[] starts = new long[(int) (span / step) + 1];
        for (int i = 0; i < starts.length; i++) {
            starts[i] = first + i * step;
        }
        return starts;
    }

    /** Rejects a workflow with a task above the limits of a job, or above the largest node. */
    private static void check(String file, Workflow workflow, JobLimits limits, SimulationSetup setup) {
        Workflow fitted = workflow.fitting(setup.node(), limits.units(), limits.walltime());
        try {
            limits.check(fitted);
            new RunTimes(fitted, setup.profile().planOrder(), setup.node());
        } catch (InputException e) {
            throw e.in(file);
        }
    }

    private CampaignResults run(Campaign campaign) {
        try (Progress progress = new Progress(session(), "comparing")) {
            return campaign.run(threads.count(), progress::at);
        }
    }

    /** The results of a comparison: a table of strategies for each workflow. */
    private static final class ComparisonReport {
        private static final int MILLIS = 3;
        private static final int PERCENT = 4;

        private final CampaignResults results;
        private final List<String> files;
        private final int baseline;
        private final Fields<Row> columns;

        ComparisonReport(CampaignResults results, List<String> files, int baseline) {
            this.results = results;
            this.files = files;
            this.baseline = baseline;
            columns = new Fields<Row>()
                    .text("strategy", "strategy", Row::strategy)
                    .decimal(
                            "makespan", "meanMakespanSeconds", MILLIS, Row::meanMakespanSeconds, ComparisonReport::time)
                    .right("improvement", row -> isBaseline(row) ? "-" : percent(row.meanImprovementPercent()))
                    .left("verdict", row -> row.beats() ? "better" : row.isBeaten() ? "worse" : "")
                    .decimal("meanImprovementPercent", PERCENT, Row::meanImprovementPercent)
                    .right("above best", row -> percent(row.meanDegradationFromBestPercent()))
                    .decimal("meanDegradationFromBestPercent", PERCENT, Row::meanDegradationFromBestPercent)
                    .right("wins", row -> isBaseline(row) ? "-" : Integer.toString(row.wins()))
                    .right("losses", row -> isBaseline(row) ? "-" : Integer.toString(row.losses()))
                    .count("wins", Row::wins)
                    .count("losses", Row::losses)
                    .decimal("node-hours allocated", "nodeHoursHeld", PERCENT, Row::nodeHoursHeld, Fields.fixed(1, ""))
                    .decimal("used", "nodeHoursUsed", PERCENT, Row::nodeHoursUsed, Fields.fixed(1, ""))
                    .right("failed runs", row -> row.failed() + " of " + row.runs())
                    .count("runs", Row::runs)
                    .count("failed", Row::failed);
        }

        private boolean isBaseline(Row row) {
            return row.strategy().equals(results.strategies().get(baseline));
        }

        private static String percent(double value) {
            return Double.isNaN(value) ? "-" : DecimalText.fixed(value, 1) + " %";
        }

        private static String time(double seconds) {
            return Rounded.time(Math.round(seconds * 1000));
        }

        void print(PrintWriter out) {
            for (int i = 0; i < files.size(); i++) {
                Workflow workflow = results.workflows().get(i);
                out.println();
                out.println(files.get(i) + ", " + Rounded.count(workflow.size()) + " tasks");
                List<List<String>> rows = new ArrayList<>();
                StrategyComparison.of(results, i, baseline).forEach(row -> rows.add(columns.cells(row)));
                double bound = StrategyComparison.meanLowerBoundSeconds(results, i);
                rows.add(List.of(
                        "lower bound", Double.isNaN(bound) ? "-" : time(bound), "", "", "", "", "", "", "", ""));
                columns.tableOf(out, rows);
            }
        }

        void fields(JsonOut out) {
            out.field("baseline", results.strategies().get(baseline)).field("starts", results.starts());
            out.objects("workflows", files.size(), i -> {
                Workflow workflow = results.workflows().get(i);
                out.field("workflow", workflow.name())
                        .field("file", files.get(i))
                        .field("tasks", workflow.size())
                        .decimal("meanLowerBoundSeconds", StrategyComparison.meanLowerBoundSeconds(results, i), MILLIS);
                columns.array(out, "strategies", StrategyComparison.of(results, i, baseline));
            });
        }
    }
}
