package io.sheaf.lab.report;

import io.sheaf.formats.picture.Svg;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The body of the page of a report: an overview, why runs failed, then each part with its tables and figures. */
final class ReportBody {
    private static final int PICTURES = 3;

    private final Runs runs;
    private final List<ReportPart> parts;
    private final String baseline;

    ReportBody(Runs runs, List<ReportPart> parts, String baseline) {
        this.runs = runs;
        this.parts = parts;
        this.baseline = baseline;
    }

    String html(List<String> pictures) {
        StringBuilder out = new StringBuilder();
        out.append("<h2>Overview</h2>\n");
        HtmlTable overview = new HtmlTable(overviewHead());
        for (int i = 0; i < parts.size(); i++) {
            overview(overview, parts.get(i), "#part" + (i + 1));
        }
        out.append(overview).append(failures()).append(foreseen()).append(others());
        for (int i = 0; i < parts.size(); i++) {
            ReportPart part = parts.get(i);
            out.append("<h2 id=\"part")
                    .append(i + 1)
                    .append("\">")
                    .append(Svg.escape(part.name()))
                    .append("</h2>\n");
            out.append("<figure>").append(pictures.get(PICTURES * i)).append("<figcaption>Improvement over ");
            out.append(Svg.escape(baseline)).append(" by workflow, with 95 % intervals.</figcaption></figure>\n");
            out.append("<details><summary>Makespans over the lower bound</summary>")
                    .append(pictures.get(PICTURES * i + 1));
            out.append("</details>\n<details><summary>Distribution of makespans</summary>");
            out.append(pictures.get(PICTURES * i + 2)).append("</details>\n");
            String tradeoff = Tradeoff.picture(part.byWorkflow(), runs.strategies());
            if (!tradeoff.isEmpty()) {
                out.append("<details><summary>Makespan against node-hours held, by workflow</summary>");
                out.append(tradeoff).append("</details>\n");
            }
            out.append("<details><summary>By workflow, with runs to look at</summary>")
                    .append(byWorkflow(part))
                    .append("</details>\n");
        }
        return out.toString();
    }

    private static List<String> overviewHead() {
        return List.of(
                "part",
                "strategy",
                "makespan h",
                "improvement %",
                "95 %",
                "p",
                "wins",
                "losses",
                "beats/beaten",
                "of files only",
                "from best %",
                "wait h",
                "wait/run",
                "node-hours",
                "failed");
    }

    private void overview(HtmlTable table, ReportPart part, String link) {
        for (int i = 0; i < part.overall().size(); i++) {
            Figures f = part.overall().get(i);
            List<String> cells = new ArrayList<>(cells(f));
            int all = part.byWorkflow().size();
            cells.add(7, part.counts(i).cell() + " of " + all);
            cells.add(
                    8,
                    part.countsOfFiles(i).cell() + " of "
                            + (all - part.generated().size()));
            table.row(i == 0 ? part.name() : "", i == 0 ? link : "", cells, f.failed() > 0);
        }
    }

    /** Why runs could not complete, each reason with how many there are and the first of them. */
    private String failures() {
        Map<List<String>, List<String>> reasons = new LinkedHashMap<>();
        for (Runs.Run run : runs.all()) {
            if (!run.completed()) {
                String why = runs.has("failure") ? runs.text(run, "failure") : "";
                reasons.computeIfAbsent(List.of(runs.text(run, "strategy"), why), key -> new ArrayList<>())
                        .add(runs.text(run, "run"));
            }
        }
        if (reasons.isEmpty()) {
            return "";
        }
        HtmlTable table = new HtmlTable(List.of("strategy", "runs", "the first", "why they could not complete"));
        reasons.forEach((key, numbers) -> table.row(
                key.get(0), "", List.of(Integer.toString(numbers.size()), numbers.get(0), key.get(1)), false));
        return "<h2>Runs that could not complete</h2>\n" + table;
    }

    /** How well starts were foreseen, where that was asked for. */
    private String foreseen() {
        HtmlTable table = new HtmlTable(
                List.of("part", "strategy", "jobs", "wait foreseen h", "wait h", "mean error h", "on time %"));
        boolean any = false;
        for (ReportPart part : parts) {
            boolean first = true;
            for (Figures f : part.overall()) {
                Figures.Foreseen all = f.foreseen();
                if (all.jobs() > 0) {
                    table.row(
                            first ? part.name() : "",
                            "",
                            List.of(
                                    f.strategy(),
                                    number(all.jobs(), 0),
                                    number(all.waitSeconds() / 3600, 2),
                                    number(all.actualSeconds() / 3600, 2),
                                    number(all.errorSeconds() / 3600, 2),
                                    number(100 * all.onTime(), 1)),
                            false);
                    first = false;
                    any = true;
                }
            }
        }
        return any
                ? "<details><summary>How well starts of jobs were foreseen at their submission; on time is within a"
                        + " twentieth of the wait, or a minute</summary>" + table + "</details>\n"
                : "";
    }

    /** How much longer others waited, where that was asked for. */
    private String others() {
        HtmlTable table = new HtmlTable(List.of("part", "strategy", "others wait longer s"));
        boolean any = false;
        for (ReportPart part : parts) {
            boolean first = true;
            for (Figures f : part.overall()) {
                if (Double.isFinite(f.othersWaitSeconds())) {
                    List<String> cells = List.of(f.strategy(), number(f.othersWaitSeconds(), 1));
                    table.row(first ? part.name() : "", "", cells, false);
                    first = false;
                    any = true;
                }
            }
        }
        return any ? "<h2>What others wait longer because of a run, in the mean</h2>\n" + table : "";
    }

    private HtmlTable byWorkflow(ReportPart part) {
        List<String> head = new ArrayList<>(overviewHead());
        head.set(0, "workflow");
        head.removeAll(List.of("beats/beaten", "of files only"));
        head.addAll(head.size() - 1, List.of("typical run", "worst", "best"));
        HtmlTable table = new HtmlTable(head);
        part.byWorkflow().forEach((workflow, all) -> {
            for (int i = 0; i < all.size(); i++) {
                Figures each = all.get(i);
                Figures.Examples examples = each.examples();
                List<String> cells = new ArrayList<>(cells(each));
                int last = cells.size() - 1;
                cells.addAll(last, List.of(run(examples.typical()), run(examples.worst()), run(examples.best())));
                table.row(i == 0 ? workflow : "", "", cells, each.failed() > 0);
            }
        });
        return table;
    }

    private static String run(long number) {
        return number == 0 ? "" : HtmlTable.RUN + number;
    }

    private static String number(double value, int places) {
        return SummaryRows.number(value, places);
    }

    private static List<String> cells(Figures f) {
        return List.of(
                f.strategy(),
                number(f.makespanSeconds() / 3600, 2),
                number(f.improvement(), 1),
                number(f.improvementInterval().low(), 1) + " … "
                        + number(f.improvementInterval().high(), 1),
                number(f.p(), 4),
                Integer.toString(f.wins()),
                Integer.toString(f.losses()),
                number(f.best().degradation(), 1),
                number(f.waitSeconds() / 3600, 2),
                number(f.relativeWait(), 2),
                number(f.nodeHoursHeld(), 0),
                f.failed() + " of " + f.runs());
    }
}
