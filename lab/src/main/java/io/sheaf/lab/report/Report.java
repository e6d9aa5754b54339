package io.sheaf.lab.report;

import io.sheaf.lab.Lab;
import io.sheaf.lab.Manifest;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What a folder of 'sheaf lab run' came to: parts, each with its strategies compared by workflow and over all, and figures. */
public final class Report {
    private final Map<String, String> manifest;
    private final Runs runs;
    private final String baseline;
    private final List<String> columns;
    private final List<ReportPart> parts = new ArrayList<>();
    private final Means means;
    private final Spread spread;

    private Report(Map<String, String> manifest, Runs runs, ReportOptions options) {
        this.manifest = manifest;
        this.runs = runs;
        baseline = manifest.getOrDefault("baseline", "");
        Panels panels = new Panels(runs, options.parts());
        columns = panels.columns();
        Measures measures = new Measures(options.bestOf(), options.runOf());
        panels.parts().forEach((values, rows) -> parts.add(part(values, rows, measures)));
        means = new Means(runs, baseline, listed("reportMeans"), listed("reportOver"));
        if (!options.spread().isEmpty()) {
            runs.column(options.spread());
        }
        spread = new Spread(parts, columns, options.spread());
    }

    /** Columns that the experiment lists. */
    private List<String> listed(String key) {
        String text = manifest.getOrDefault(key, "");
        return text.isEmpty() ? List.of() : List.of(text.split(","));
    }

    /** Reads the results in a folder. */
    public static Report read(Path folder, ReportOptions options) {
        Map<String, String> manifest = Manifest.read(folder);
        ReportOptions asked = options.or(manifest);
        Runs runs = Runs.read(folder.resolve(Lab.TABLE));
        if (!asked.paired().isEmpty()) {
            runs = runs.paired(asked.paired());
        }
        if (runs.all().isEmpty()) {
            throw new InputException("has no runs").in(folder.resolve(Lab.TABLE).toString());
        }
        if (!asked.runOf().isEmpty() && !runs.strategies().contains(asked.runOf())) {
            throw new InputException("there is no strategy '" + asked.runOf() + "' in the table; there are: "
                    + String.join(", ", runs.strategies()));
        }
        return new Report(manifest, runs, asked);
    }

    private ReportPart part(List<String> values, List<Runs.Run> rows, Measures measures) {
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
        workflows.forEach((name, some) -> byWorkflow.put(name, figures(some, measures, values + "/" + name)));
        List<Figures> overall = figures(rows, measures, values.toString());
        return new ReportPart(name(values), values, rows, byWorkflow, generated, overall);
    }

    private List<Figures> figures(List<Runs.Run> rows, Measures measures, String purpose) {
        var items = Figures.items(runs, rows);
        return runs.strategies().stream()
                .map(strategy -> Figures.of(runs, items, strategy, baseline, measures, purpose))
                .toList();
    }

    /** The name of a part: its values of the columns that tell. */
    private String name(List<String> values) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            String column = columns.get(i);
            if (!values.get(i).isEmpty()) {
                boolean speaks = column.equals("cluster") || column.equals("group") || column.equals("platform");
                words.add(speaks ? values.get(i) : Threshold.column(column) + " " + values.get(i));
            }
        }
        return words.isEmpty() ? "All runs" : String.join(", ", words);
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

    /** Writes every figure as a row: part, workflow (empty for all together), strategy. */
    public void summary(Writer out) throws IOException {
        List<SummaryRows.Row> rows = new ArrayList<>();
        parts.forEach(part -> rows.addAll(part.rows()));
        SummaryRows.write(out, columns, rows);
    }

    /** Whether the experiment asks for means over single parameters. */
    public boolean hasMeans() {
        return !means.isEmpty();
    }

    /** Writes them as rows. */
    public void means(Writer out) throws IOException {
        means.write(out);
    }

    /** Whether it is told how much improvements depend on a column. */
    public boolean hasSpread() {
        return !spread.isEmpty();
    }

    /** Writes that as rows. */
    public void spread(Writer out) throws IOException {
        spread.write(out);
    }

    /** The figures as SVG files, by file name. */
    public Map<String, String> pictures() {
        Map<String, String> pictures = new LinkedHashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            ReportPart part = parts.get(i);
            String name = fileName(i);
            pictures.put(name + "-improvement.svg", Charts.improvement(part.byWorkflow(), runs.strategies(), baseline));
            pictures.put(name + "-boxes.svg", Charts.boxes(part.samples(runs, true), part.overall()));
            pictures.put(name + "-cdf.svg", Charts.distributions(part.samples(runs, false)));
        }
        for (int i = 0; i < parts.size(); i++) {
            String tradeoff = Tradeoff.picture(parts.get(i).byWorkflow(), runs.strategies());
            if (!tradeoff.isEmpty()) {
                pictures.put(fileName(i) + "-node-hours.svg", tradeoff);
            }
        }
        pictures.putAll(means.pictures());
        return pictures;
    }

    private String fileName(int part) {
        String name = parts.get(part).name().toLowerCase(Locale.ROOT);
        return (part + 1) + "-" + name.replaceAll("[^a-z0-9]+", "-");
    }

    /** The numbers of runs that a reader will want to look at, the most telling first: those that failed, then of each strategy on each workflow a typical one, the worst and the best. */
    public List<Long> examples() {
        Set<Long> examples = new LinkedHashSet<>();
        runs.all().stream()
                .filter(run -> !run.completed())
                .forEach(run -> examples.add(Long.parseLong(runs.text(run, "run"))));
        List<Figures.Examples> all = new ArrayList<>();
        parts.forEach(part -> part.overall().forEach(each -> all.add(each.examples())));
        parts.forEach(
                part -> part.byWorkflow().values().forEach(some -> some.forEach(each -> all.add(each.examples()))));
        all.forEach(each -> examples.add(each.typical()));
        all.forEach(each -> examples.add(each.worst()));
        all.forEach(each -> examples.add(each.best()));
        runs.all().forEach(run -> examples.add(Long.parseLong(runs.text(run, "run"))));
        examples.remove(0L);
        return List.copyOf(examples);
    }

    /** The body of a page: an overview, then each part with its tables and figures. */
    public String html() {
        return new ReportBody(runs, parts, baseline).html(List.copyOf(pictures().values()))
                + spread.html()
                + means.html();
    }
}
