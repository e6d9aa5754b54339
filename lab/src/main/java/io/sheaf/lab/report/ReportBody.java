package io.sheaf.lab.report;

import io.sheaf.formats.picture.Svg;
import io.sheaf.lab.experiment.Csv;
import io.sheaf.lab.report.StrategyFigures.Count;
import io.sheaf.lab.report.StrategyFigures.Measure;
import io.sheaf.lab.report.StrategyFigures.StartAccuracy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/** The body of the page of a comparison: an overview, failed runs, then each part with its tables and pictures. */
record ReportBody(Runs runs, List<ReportPart> parts, String baseline) {
    private static final int PICTURES = 3;

    String html(List<String> pictures) {
        StringBuilder out = new StringBuilder();
        out.append("<h2>Overview</h2>\n");
        HtmlTable overview = new HtmlTable(overviewHead());
        for (int i = 0; i < parts.size(); i++) {
            overview(overview, parts.get(i), "#part" + (i + 1));
        }
        out.append(overview).append(failures()).append(startAccuracy()).append(manners());
        for (int i = 0; i < parts.size(); i++) {
            ReportPart part = parts.get(i);
            out.append("<h2 id=\"part" + (i + 1) + "\">" + Svg.escape(part.name()) + "</h2>\n<figure>"
                    + pictures.get(PICTURES * i) + "<figcaption>Improvement over " + Svg.escape(baseline)
                    + " by workflow, with 95 % intervals of the mean.</figcaption></figure>\n");
            out.append(details("Makespan / lower bound", pictures.get(PICTURES * i + 1)));
            out.append(details("Distribution of makespans", pictures.get(PICTURES * i + 2)));
            String tradeoff = Tradeoff.picture(part.byWorkflow(), runs.strategies());
            out.append(details("Makespan against node-hours, by workflow", tradeoff));
            out.append(
                    details("By workflow, with example runs", byWorkflow(part).toString()));
        }
        return out.toString();
    }

    /** A part that is closed at first; nothing if it is empty. */
    private static String details(String summary, String content) {
        return content.isEmpty() ? "" : "<details><summary>" + summary + "</summary>" + content + "</details>\n";
    }

    private static List<String> overviewHead() {
        return List.of(
                "part",
                "strategy",
                "makespan (h)",
                "improvement (%)",
                "95 % interval",
                "p",
                "wins",
                "losses",
                "beats/beaten",
                "beats/beaten (files only)",
                "above best (%)",
                "queue wait (h)",
                "wait / run time",
                "node-hours",
                "failed runs");
    }

    private void overview(HtmlTable table, ReportPart part, String link) {
        for (int i = 0; i < part.overall().size(); i++) {
            StrategyFigures f = part.overall().get(i);
            List<String> cells = new ArrayList<>(cells(f));
            int all = part.byWorkflow().size();
            cells.add(7, part.counts(i).cell() + " of " + all);
            cells.add(
                    8,
                    part.countsOfFiles(i).cell() + " of "
                            + (all - part.generated().size()));
            table.row(i == 0 ? part.name() : "", i == 0 ? link : "", cells, f.count(Count.FAILED) > 0);
        }
    }

    /** Failed runs: each reason with the number of runs and the first of them. */
    private String failures() {
        Map<List<String>, List<String>> reasons = new LinkedHashMap<>();
        for (Runs.Run run : runs.all()) {
            if (!run.completed()) {
                String reason = runs.has("failure") ? runs.text(run, "failure") : "";
                reasons.computeIfAbsent(List.of(runs.text(run, "strategy"), reason), key -> new ArrayList<>())
                        .add(runs.text(run, "run"));
            }
        }
        if (reasons.isEmpty()) {
            return "";
        }
        HtmlTable table = new HtmlTable(List.of("strategy", "runs", "first run", "reason"));
        reasons.forEach((key, numbers) -> table.row(
                key.get(0), "", List.of(Integer.toString(numbers.size()), numbers.get(0), key.get(1)), false));
        return "<h2>Failed runs</h2>\n" + table;
    }

    /** The accuracy of start-time estimates, if recorded. */
    private String startAccuracy() {
        List<String> head = List.of(
                "part", "strategy", "jobs", "expected wait (h)", "actual wait (h)", "mean error (h)", "on time (%)");
        String table = byStrategy(
                head,
                f -> f.start(StartAccuracy.JOBS) > 0,
                f -> List.of(
                        Csv.number(f.start(StartAccuracy.JOBS), 0),
                        Csv.number(f.start(StartAccuracy.EXPECTED_WAIT) / 3600, 2),
                        Csv.number(f.start(StartAccuracy.ACTUAL_WAIT) / 3600, 2),
                        Csv.number(f.start(StartAccuracy.ERROR) / 3600, 2),
                        Csv.number(100 * f.start(StartAccuracy.ON_TIME), 1)));
        return details(
                "Accuracy of start-time estimates at submission; on time: within a twentieth of the expected wait, or a minute",
                table);
    }

    /** The load on the batch system and on other users, if recorded; the additional wait of background jobs is empty if not measured. */
    private String manners() {
        String table = byStrategy(
                List.of(
                        "part",
                        "strategy",
                        "jobs submitted",
                        "maximum per run",
                        "cancelled while queued",
                        "node-hours released early",
                        "node-hours idle",
                        "background jobs: additional wait (s)"),
                f -> Double.isFinite(f.mean(Measure.JOBS)),
                f -> List.of(
                        Csv.number(f.mean(Measure.JOBS), 2),
                        Integer.toString(f.maxJobs()),
                        Csv.number(f.mean(Measure.CANCELLED_QUEUED), 2),
                        Csv.number(f.mean(Measure.GIVEN_BACK_NODE_HOURS), 1),
                        Csv.number(f.mean(Measure.IDLE_NODE_HOURS), 1),
                        Csv.number(f.mean(Measure.BACKGROUND_WAIT), 1)));
        return table.isEmpty() ? "" : "<h2>Load on the batch system, mean of a run</h2>\n" + table;
    }

    /** A table with a row for each part and strategy that has these figures; empty if none has. */
    private String byStrategy(
            List<String> head, Predicate<StrategyFigures> filter, Function<StrategyFigures, List<String>> cells) {
        HtmlTable table = new HtmlTable(head);
        boolean any = false;
        for (ReportPart part : parts) {
            String name = part.name();
            for (StrategyFigures each : part.overall().stream().filter(filter).toList()) {
                List<String> row = new ArrayList<>(List.of(each.strategy()));
                row.addAll(cells.apply(each));
                table.row(name, "", row, false);
                name = "";
                any = true;
            }
        }
        return any ? table.toString() : "";
    }

    private HtmlTable byWorkflow(ReportPart part) {
        List<String> head = new ArrayList<>(overviewHead());
        head.set(0, "workflow");
        head.removeAll(List.of("beats/beaten", "beats/beaten (files only)"));
        head.addAll(head.size() - 1, List.of("typical run", "worst run", "best run"));
        HtmlTable table = new HtmlTable(head);
        part.byWorkflow().forEach((workflow, all) -> {
            for (int i = 0; i < all.size(); i++) {
                StrategyFigures each = all.get(i);
                StrategyFigures.Examples examples = each.examples();
                List<String> cells = new ArrayList<>(cells(each));
                int last = cells.size() - 1;
                cells.addAll(last, List.of(run(examples.typical()), run(examples.worst()), run(examples.best())));
                table.row(i == 0 ? workflow : "", "", cells, each.count(Count.FAILED) > 0);
            }
        });
        return table;
    }

    private static String run(long number) {
        return number == 0 ? "" : HtmlTable.RUN + number;
    }

    private static List<String> cells(StrategyFigures f) {
        return List.of(
                f.strategy(),
                Csv.number(f.mean(Measure.MAKESPAN) / 3600, 2),
                Csv.number(f.mean(Measure.IMPROVEMENT), 1),
                Csv.number(f.interval(Measure.IMPROVEMENT).low(), 1) + " … "
                        + Csv.number(f.interval(Measure.IMPROVEMENT).high(), 1),
                Csv.number(f.p(), 4),
                Integer.toString(f.count(Count.WINS)),
                Integer.toString(f.count(Count.LOSSES)),
                Csv.number(f.mean(Measure.FROM_BEST), 1),
                Csv.number(f.mean(Measure.WAIT) / 3600, 2),
                Csv.number(f.mean(Measure.RELATIVE_WAIT), 2),
                Csv.number(f.mean(Measure.HELD_NODE_HOURS), 0),
                f.count(Count.FAILED) + " of " + f.count(Count.RUNS));
    }
}
