package io.sheaf.app.replay;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.Table;
import io.sheaf.app.simulate.LoadedTrace;
import io.sheaf.sim.JobOutcome;
import io.sheaf.sim.Replayed;
import io.sheaf.sim.Trace;
import io.sheaf.sim.TraceRule;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What came of a replay, in figures.
 *
 * @param counts how often each rule left out or changed a job, by the rule's name
 * @param waits by size of the job
 */
record ReplaySummary(
        Replayed.Figures figures,
        Map<String, Long> counts,
        List<WaitBySize.Row> waits,
        long events,
        double wallSeconds) {
    private static final double SECOND = 1000;
    private static final int MILLIS = 3;

    static ReplaySummary of(LoadedTrace loaded, Trace trace, Replayed replayed, int nodes, double wallSeconds) {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (TraceRule rule : TraceRule.values()) {
            counts.put(rule.key(), trace.count(rule));
        }
        counts.put("warmup", warmedUp(trace, replayed));
        counts.put("notStarted", (long) trace.jobs().size() - started(replayed));
        loaded.counts().forEach((name, count) -> counts.merge(name, count, Long::sum));
        return new ReplaySummary(
                replayed.figures(nodes, trace.measureFrom(), Replayed.NEVER),
                counts,
                WaitBySize.of(replayed, nodes, trace.measureFrom()),
                replayed.events(),
                wallSeconds);
    }

    private static long started(Replayed replayed) {
        return (long) replayed.count(JobOutcome.COMPLETED) + replayed.count(JobOutcome.KILLED);
    }

    /** Jobs that ran, but too early to be measured. */
    private static long warmedUp(Trace trace, Replayed replayed) {
        long n = 0;
        for (int j = 0; j < trace.jobs().size(); j++) {
            n += trace.jobs().submit(j) < trace.measureFrom() && replayed.start(j) != Replayed.NEVER ? 1 : 0;
        }
        return n;
    }

    void printJson(PrintWriter writer) {
        try (JsonOut out = new JsonOut(writer)) {
            out.object().field("jobs", figures.jobs()).object("skipped");
            counts.forEach(out::field);
            out.end()
                    .decimal("meanWaitSeconds", figures.meanWait() / SECOND, MILLIS)
                    .decimal("medianWaitSeconds", figures.medianWait() / SECOND, MILLIS)
                    .decimal("p95WaitSeconds", figures.p95Wait() / SECOND, MILLIS)
                    .decimal("meanBoundedSlowdown", figures.meanBoundedSlowdown(), MILLIS)
                    .decimal("utilization", figures.utilization(), 2 * MILLIS)
                    .decimal("makespanSeconds", figures.makespan() / SECOND, MILLIS)
                    .field("events", events)
                    .decimal("wallSeconds", wallSeconds, MILLIS)
                    .end();
        }
    }

    void print(PrintWriter out) {
        facts().forEach((name, value) -> out.println(String.format(Locale.ROOT, "%-18s", name) + value));
        out.println(String.format(Locale.ROOT, "%-18s", "events") + Rounded.count(events) + " in "
                + DecimalText.fixed(wallSeconds, 2) + " s");
        printCounts(out);
        if (!waits.isEmpty()) {
            out.println();
            printWaits(out);
        }
    }

    /** The figures in words; they depend on nothing but the input. */
    Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("jobs", Rounded.count(figures.jobs()));
        facts.put("mean wait", Rounded.time(Math.round(figures.meanWait())));
        facts.put("median wait", Rounded.time(figures.medianWait()));
        facts.put("95 % wait", Rounded.time(figures.p95Wait()));
        facts.put("bounded slowdown", DecimalText.fixed(figures.meanBoundedSlowdown(), 1));
        facts.put("utilization", Rounded.percent(figures.utilization()));
        facts.put("makespan", Rounded.time(figures.makespan()));
        return facts;
    }

    /** Rules that were applied: {@code 12 never ran}. */
    List<String> applied() {
        return counts.entrySet().stream()
                .filter(e -> e.getValue() > 0)
                .map(e -> Rounded.count(e.getValue()) + " " + words(e.getKey()))
                .toList();
    }

    private void printCounts(PrintWriter out) {
        List<List<String>> rows = new ArrayList<>();
        counts.forEach((name, count) -> {
            if (count > 0) {
                rows.add(List.of(Rounded.count(count), words(name)));
            }
        });
        if (!rows.isEmpty()) {
            out.println();
            Table.print(out, List.of("jobs", "left out or changed"), rows, "><");
        }
    }

    private void printWaits(PrintWriter out) {
        List<List<String>> rows = new ArrayList<>();
        for (WaitBySize.Row row : waits) {
            rows.add(List.of(
                    row.sizes(),
                    Rounded.count(row.jobs()),
                    Rounded.percent(row.workShare()),
                    Rounded.time(Math.round(row.meanWait())),
                    Rounded.time(row.medianWait()),
                    Rounded.time(row.p95Wait()),
                    Rounded.time(row.longestWait())));
        }
        Table.print(out, List.of("nodes", "jobs", "work", "mean wait", "median", "95 %", "longest"), rows, "<>>>>>>");
    }

    private static String words(String rule) {
        return switch (rule) {
            case "malformed" -> "lines that cannot be read";
            case "outsidePeriod" -> "outside the period: left out";
            case "noProcessors" -> "without processors on record: left out";
            case "tooLarge" -> "larger than the cluster: left out";
            case "neverRan" -> "never ran: left out";
            case "noTimes" -> "without any time on record: left out";
            case "runInFull" -> "never ran: replayed for their full request";
            case "withdrawn" -> "never ran: queued, and cancelled after the recorded wait";
            case "requestMissing" -> "without a request: the run time is taken";
            case "requestRaised" -> "ran longer than requested: request raised to the run time";
            case "reordered" -> "stood after a job submitted later: sorted";
            case "warmup" -> "warm-up: replayed, not in the figures";
            case "notStarted" -> "never started: not in the figures";
            case "steps" -> "job steps: part of their jobs";
            case "unfinished" -> "had not ended: left out";
            case "repeated" -> "the same record again: left out";
            case "requeued" -> "further runs of a requeued job: jobs of their own";
            case "renumbered" -> "without a number of their own: numbered";
            default -> rule;
        };
    }
}
