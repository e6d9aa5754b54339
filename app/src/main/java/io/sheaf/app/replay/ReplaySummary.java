package io.sheaf.app.replay;

import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.simulate.LoadedTrace;
import io.sheaf.sim.JobOutcome;
import io.sheaf.sim.ReplayResult;
import io.sheaf.sim.Trace;
import io.sheaf.sim.TraceRule;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The statistics of a replay.
 *
 * @param counts how often each rule dropped or changed a job, by the rule's name
 * @param waits by job size
 */
record ReplaySummary(
        ReplayResult.Figures figures,
        Map<String, Long> counts,
        List<WaitBySize.Row> waits,
        long events,
        double wallSeconds) {
    private static final double SECOND = 1000;
    private static final int MILLIS = 3;

    static ReplaySummary of(LoadedTrace loaded, Trace trace, ReplayResult replayed, int nodes, double wallSeconds) {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (TraceRule rule : TraceRule.values()) {
            counts.put(rule.key(), trace.count(rule));
        }
        counts.put("warmup", warmedUp(trace, replayed));
        counts.put("notStarted", (long) trace.jobs().size() - started(replayed));
        loaded.counts().forEach((name, count) -> counts.merge(name, count, Long::sum));
        return new ReplaySummary(
                replayed.figures(nodes, trace.measureFrom(), ReplayResult.NEVER),
                counts,
                WaitBySize.of(replayed, nodes, trace.measureFrom()),
                replayed.events(),
                wallSeconds);
    }

    private static long started(ReplayResult replayed) {
        return (long) replayed.count(JobOutcome.COMPLETED) + replayed.count(JobOutcome.KILLED);
    }

    /** The number of jobs that ran during the warm-up and are not measured. */
    private static long warmedUp(Trace trace, ReplayResult replayed) {
        long n = 0;
        for (int j = 0; j < trace.jobs().size(); j++) {
            n += trace.jobs().submit(j) < trace.measureFrom() && replayed.start(j) != ReplayResult.NEVER ? 1 : 0;
        }
        return n;
    }

    private static final Fields<ReplayResult.Figures> FIGURES = new Fields<ReplayResult.Figures>()
            .right("jobs", figures -> Rounded.count(figures.jobs()))
            .decimal("mean wait", "meanWaitSeconds", MILLIS, f -> f.meanWait() / SECOND, ReplaySummary::time)
            .decimal("median wait", "medianWaitSeconds", MILLIS, f -> f.medianWait() / SECOND, ReplaySummary::time)
            .decimal("p95 wait", "p95WaitSeconds", MILLIS, f -> f.p95Wait() / SECOND, ReplaySummary::time)
            .decimal(
                    "bounded slowdown",
                    "meanBoundedSlowdown",
                    MILLIS,
                    f -> f.meanBoundedSlowdown(),
                    Fields.fixed(1, ""))
            .decimal("utilization", "utilization", 2 * MILLIS, ReplayResult.Figures::utilization, Rounded::percent)
            .decimal("makespan", "makespanSeconds", MILLIS, f -> f.makespan() / SECOND, ReplaySummary::time);

    private static final Fields<WaitBySize.Row> WAITS = new Fields<WaitBySize.Row>()
            .left("nodes", WaitBySize.Row::sizes)
            .right("jobs", row -> Rounded.count(row.jobs()))
            .right("share of work", row -> Rounded.percent(row.workShare()))
            .right("mean wait", row -> Rounded.time(Math.round(row.meanWait())))
            .right("median wait", row -> Rounded.time(row.medianWait()))
            .right("p95 wait", row -> Rounded.time(row.p95Wait()))
            .right("maximum wait", row -> Rounded.time(row.longestWait()));

    private static String time(double seconds) {
        return Rounded.time(Math.round(seconds * SECOND));
    }

    void fields(JsonOut out) {
        out.field("jobs", figures.jobs()).object("skipped");
        counts.forEach(out::field);
        out.end();
        FIGURES.fields(out, figures);
        out.field("events", events).decimal("wallSeconds", wallSeconds, MILLIS);
    }

    void print(PrintWriter out) {
        FIGURES.lines(out, figures);
        out.println(Fields.line(
                "simulated events", Rounded.count(events) + " in " + DecimalText.fixed(wallSeconds, 2) + " s"));
        if (!applied().isEmpty()) {
            out.println();
            out.println("jobs excluded or changed");
            applied().forEach(each -> out.println("  " + each));
        }
        if (!waits.isEmpty()) {
            out.println();
            WAITS.table(out, waits);
        }
    }

    /** The figures as texts by label, determined by the input alone. */
    Map<String, String> facts() {
        return FIGURES.facts(figures);
    }

    /** The applied rules, such as {@code 12 never ran}. */
    List<String> applied() {
        return counts.entrySet().stream()
                .filter(e -> e.getValue() > 0)
                .map(e -> Rounded.count(e.getValue()) + " " + words(e.getKey()))
                .toList();
    }

    private static String words(String rule) {
        return switch (rule) {
            case "malformed" -> "lines cannot be parsed";
            case "outsidePeriod" -> "outside the period: excluded";
            case "noProcessors" -> "without a recorded number of processors: excluded";
            case "tooLarge" -> "larger than the cluster or its limits: excluded";
            case "neverRan" -> "never ran: excluded";
            case "noTimes" -> "without a recorded time: excluded";
            case "runInFull" -> "never ran: replayed with their full walltime";
            case "cancelled" -> "never ran: queued, and cancelled after the recorded wait";
            case "requestMissing" -> "without a requested walltime: the run time is used";
            case "requestRaised" -> "ran longer than requested: walltime raised to the run time";
            case "reordered" -> "out of order: sorted by submission time";
            case "warmup" -> "warm-up: replayed, not in the statistics";
            case "notStarted" -> "never started: not in the statistics";
            case "steps" -> "job steps: counted with their jobs";
            case "unfinished" -> "unfinished: excluded";
            case "repeated" -> "duplicate records: excluded";
            case "requeued" -> "requeued: replayed as separate jobs";
            case "renumbered" -> "duplicate job numbers: renumbered";
            default -> rule;
        };
    }
}
