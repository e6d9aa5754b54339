package io.sheaf.lab.report;

import io.sheaf.lab.Lab;
import io.sheaf.lab.Manifest;
import io.sheaf.text.DecimalText;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a folder of 'sheaf lab run' came to: parts, each with its strategies compared by workflow and over all, and figures. */
public final class Report {
    private final Map<String, String> manifest;
    private final Runs runs;
    private final String baseline;
    private final List<String> columns;
    private final List<Part> parts = new ArrayList<>();

    /**
     * A part of the table.
     *
     * @param generated the workflows of it that were made and not read
     * @param overall over all workflows together
     */
    private record Part(
            List<String> values,
            List<Runs.Run> runs,
            Map<String, List<Figures>> byWorkflow,
            List<String> generated,
            List<Figures> overall) {}

    private Report(Map<String, String> manifest, Runs runs, String baseline, List<String> by) {
        this.manifest = manifest;
        this.runs = runs;
        this.baseline = baseline;
        Panels panels = new Panels(runs, by);
        columns = panels.columns();
        panels.parts().forEach((values, rows) -> parts.add(part(values, rows)));
    }

    /**
     * Reads the results in a folder.
     *
     * @param by columns of the table that make the parts; those that tell if none are named
     */
    public static Report read(Path folder, List<String> by) {
        Map<String, String> manifest = Manifest.read(folder);
        Runs runs = Runs.read(folder.resolve(Lab.TABLE));
        if (runs.all().isEmpty()) {
            throw new InputException("has no runs").in(folder.resolve(Lab.TABLE).toString());
        }
        return new Report(manifest, runs, manifest.getOrDefault("baseline", ""), by);
    }

    private Part part(List<String> values, List<Runs.Run> rows) {
        Map<String, List<Runs.Run>> workflows = new LinkedHashMap<>();
        List<String> generated = new ArrayList<>();
        for (Runs.Run run : rows) {
            String name = runs.text(run, "workflow");
            if (!workflows.containsKey(name) && runs.text(run, "source").equals("generated")) {
                generated.add(name);
            }
            workflows.computeIfAbsent(name, each -> new ArrayList<>()).add(run);
        }
        Map<String, List<Figures>> byWorkflow = new LinkedHashMap<>();
        workflows.forEach((name, some) -> byWorkflow.put(name, figures(some, values + "/" + name)));
        return new Part(values, rows, byWorkflow, generated, figures(rows, values.toString()));
    }

    private List<Figures> figures(List<Runs.Run> rows, String purpose) {
        var items = Figures.items(runs, rows);
        return runs.strategies().stream()
                .map(strategy -> Figures.of(runs, items, strategy, baseline, purpose))
                .toList();
    }

    public String title() {
        return manifest.getOrDefault("title", "Experiment");
    }

    /** Where it came from, in a line. */
    public String origin() {
        return runs.all().size() + " runs, baseline " + baseline + ", Sheaf " + manifest.get("version") + ": "
                + manifest.get("command");
    }

    public int failed() {
        return (int) runs.all().stream().filter(run -> !run.completed()).count();
    }

    /** The name of a part: its values of the columns that tell. */
    private String name(Part part) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            String value = part.values().get(i);
            if (!value.isEmpty()) {
                words.add(
                        columns.get(i).equals("cluster") || columns.get(i).equals("group")
                                ? value
                                : columns.get(i) + " " + value);
            }
        }
        return words.isEmpty() ? "All runs" : String.join(", ", words);
    }

    /** How many workflows a strategy beats the baseline on, and is beaten on; as in Table 7.1 of the GLUME thesis. */
    private static String beaten(Part part, int strategy, boolean filesOnly) {
        int beats = 0;
        int isBeaten = 0;
        for (Map.Entry<String, List<Figures>> workflow : part.byWorkflow().entrySet()) {
            if (!filesOnly || !part.generated().contains(workflow.getKey())) {
                beats += workflow.getValue().get(strategy).beats() ? 1 : 0;
                isBeaten += workflow.getValue().get(strategy).isBeaten() ? 1 : 0;
            }
        }
        return beats + "/" + isBeaten;
    }

    /** Writes every figure as a row: part, workflow (empty for all together), strategy. */
    public void summary(Writer out) throws IOException {
        SummaryRows.head(out, columns);
        for (Part part : parts) {
            for (int i = 0; i < part.overall().size(); i++) {
                String[] counts = beaten(part, i, false).split("/");
                SummaryRows.row(out, part.values(), "", part.overall().get(i), counts[0] + "," + counts[1]);
            }
            for (Map.Entry<String, List<Figures>> workflow : part.byWorkflow().entrySet()) {
                for (Figures each : workflow.getValue()) {
                    String counts = (each.beats() ? "1," : "0,") + (each.isBeaten() ? "1" : "0");
                    SummaryRows.row(out, part.values(), workflow.getKey(), each, counts);
                }
            }
        }
    }

    /** A number; nothing where there is none. */
    static String number(double value, int places) {
        return Double.isFinite(value) ? DecimalText.fixed(value, places) : "";
    }

    /** The figures as SVG files, by file name. */
    public Map<String, String> pictures() {
        Map<String, String> pictures = new LinkedHashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            String name = (i + 1) + "-" + name(part).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
            pictures.put(name + "-improvement.svg", Charts.improvement(part.byWorkflow(), runs.strategies(), baseline));
            pictures.put(name + "-boxes.svg", Charts.boxes(samples(part, true)));
            pictures.put(name + "-cdf.svg", Charts.distributions(samples(part, false)));
        }
        return pictures;
    }

    /** Completed makespans by strategy, sorted: over the lower bound, or in hours. */
    private Map<String, double[]> samples(Part part, boolean overBound) {
        Map<String, List<Double>> values = new LinkedHashMap<>();
        runs.strategies().forEach(strategy -> values.put(strategy, new ArrayList<>()));
        for (Runs.Run run : part.runs()) {
            if (run.completed()) {
                double value = overBound ? run.makespan() / Math.max(run.bound(), 0.001) : run.makespan() / 3600;
                values.computeIfAbsent(runs.text(run, "strategy"), each -> new ArrayList<>())
                        .add(value);
            }
        }
        Map<String, double[]> sorted = new LinkedHashMap<>();
        values.forEach((strategy, some) -> sorted.put(strategy, Charts.sorted(some)));
        return sorted;
    }

    /** The body of a page: an overview, then each part with its tables and figures. */
    public String html() {
        StringBuilder out = new StringBuilder();
        List<String> pictures = List.copyOf(pictures().values());
        out.append("<h2>Overview</h2>\n");
        HtmlTable overview = new HtmlTable(overviewHead());
        for (int i = 0; i < parts.size(); i++) {
            overview(overview, parts.get(i), "#part" + (i + 1));
        }
        out.append(overview);
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            out.append("<h2 id=\"part")
                    .append(i + 1)
                    .append("\">")
                    .append(Svg.escape(name(part)))
                    .append("</h2>\n");
            out.append("<figure>").append(pictures.get(3 * i)).append("<figcaption>Improvement over ");
            out.append(Svg.escape(baseline)).append(" by workflow, with 95 % intervals.</figcaption></figure>\n");
            out.append("<details><summary>Makespans over the lower bound</summary>")
                    .append(pictures.get(3 * i + 1));
            out.append("</details>\n<details><summary>Distribution of makespans</summary>");
            out.append(pictures.get(3 * i + 2)).append("</details>\n");
            out.append("<details><summary>By workflow; 'sheaf lab show' makes a page of any run</summary>")
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

    private void overview(HtmlTable table, Part part, String link) {
        for (int i = 0; i < part.overall().size(); i++) {
            Figures f = part.overall().get(i);
            List<String> cells = new ArrayList<>(cells(f));
            cells.add(7, beaten(part, i, false) + " of " + part.byWorkflow().size());
            cells.add(
                    8,
                    beaten(part, i, true) + " of "
                            + (part.byWorkflow().size() - part.generated().size()));
            table.row(i == 0 ? name(part) : "", i == 0 ? link : "", cells, f.failed() > 0);
        }
    }

    private HtmlTable byWorkflow(Part part) {
        List<String> head = new ArrayList<>(overviewHead());
        head.set(0, "workflow");
        head.removeAll(List.of("beats/beaten", "of files only"));
        head.add(head.size() - 1, "typical run");
        HtmlTable table = new HtmlTable(head);
        part.byWorkflow().forEach((workflow, all) -> {
            for (int i = 0; i < all.size(); i++) {
                Figures each = all.get(i);
                List<String> cells = new ArrayList<>(cells(each));
                cells.add(cells.size() - 1, each.typical() == 0 ? "" : Long.toString(each.typical()));
                table.row(i == 0 ? workflow : "", "", cells, each.failed() > 0);
            }
        });
        return table;
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
                number(f.fromBest(), 1),
                number(f.waitSeconds() / 3600, 2),
                number(f.relativeWait(), 2),
                number(f.nodeHoursHeld(), 0),
                f.failed() + " of " + f.runs());
    }
}
