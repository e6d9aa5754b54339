package io.sheaf.lab.report;

import io.sheaf.lab.Lab;
import io.sheaf.lab.Manifest;
import io.sheaf.text.InputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The report of an experiment that compares strategies: parts, each with the strategies compared by workflow and over all workflows. */
public final class StrategyReport implements LabReport {
    private final Map<String, String> manifest;
    private final Runs runs;
    private final String baseline;
    private final List<String> columns;
    private final List<ReportPart> parts = new ArrayList<>();
    private final ParameterMeans means;
    private final ImprovementSpread spread;

    private StrategyReport(Map<String, String> manifest, Runs runs, ReportOptions options) {
        this.manifest = manifest;
        this.runs = runs;
        baseline = manifest.getOrDefault("baseline", "");
        Panels panels = new Panels(runs, options.parts());
        columns = panels.columns;
        References references = new References(options.bestOf(), options.runOf());
        panels.parts.forEach((values, rows) -> parts.add(part(values, rows, references)));
        means = new ParameterMeans(runs, baseline, listed("reportMeans"), listed("reportOver"));
        if (!options.spread().isEmpty()) {
            runs.column(options.spread());
        }
        spread = new ImprovementSpread(parts, columns, options.spread());
    }

    /** A list of columns in the manifest. */
    private List<String> listed(String key) {
        String text = manifest.getOrDefault(key, "");
        return text.isEmpty() ? List.of() : List.of(text.split(","));
    }

    public static StrategyReport read(Path folder, ReportOptions options) {
        Map<String, String> manifest = Manifest.read(folder);
        ReportOptions effective = options.or(manifest);
        Runs runs = Runs.read(folder.resolve(Lab.TABLE));
        if (!effective.paired().isEmpty()) {
            runs = runs.paired(effective.paired());
        }
        if (runs.all().isEmpty()) {
            throw new InputException("has no runs").in(folder.resolve(Lab.TABLE).toString());
        }
        if (!effective.runOf().isEmpty() && !runs.strategies().contains(effective.runOf())) {
            throw InputException.unknown("strategy of the table", effective.runOf(), runs.strategies());
        }
        return new StrategyReport(manifest, runs, effective);
    }

    private ReportPart part(List<String> values, List<Runs.Run> rows, References references) {
        Map<String, List<Runs.Run>> workflows = new LinkedHashMap<>();
        List<String> generated = new ArrayList<>();
        for (Runs.Run run : rows) {
            String name = runs.text(run, "workflow");
            if (!workflows.containsKey(name) && runs.text(run, "source").equals("generated")) {
                generated.add(name);
            }
            workflows.computeIfAbsent(name, each -> new ArrayList<>()).add(run);
        }
        Map<String, List<StrategyFigures>> byWorkflow = new LinkedHashMap<>();
        workflows.forEach((name, runs) -> byWorkflow.put(name, figures(runs, references, values + "/" + name)));
        List<StrategyFigures> overall = figures(rows, references, values.toString());
        return new ReportPart(name(values), values, rows, byWorkflow, generated, overall);
    }

    private List<StrategyFigures> figures(List<Runs.Run> rows, References references, String purpose) {
        var items = StrategyFigures.items(runs, rows);
        return runs.strategies().stream()
                .map(strategy -> StrategyFigures.of(runs, items, strategy, baseline, references, purpose))
                .toList();
    }

    /** The name of a part: the values of the columns that distinguish it. */
    private String name(List<String> values) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            String column = columns.get(i);
            if (!values.get(i).isEmpty()) {
                boolean speaks = column.equals("cluster") || column.equals("group") || column.equals("platform");
                words.add(speaks ? values.get(i) : Runs.columnOf(column) + " " + values.get(i));
            }
        }
        return words.isEmpty() ? "All runs" : String.join(", ", words);
    }

    @Override
    public String title() {
        return manifest.getOrDefault("title", "Experiment");
    }

    @Override
    public String origin() {
        return runs.all().size() + " runs, baseline " + baseline + ", Sheaf " + manifest.get("version") + ": "
                + manifest.get("command");
    }

    @Override
    public int failed() {
        return (int) runs.all().stream().filter(run -> !run.completed()).count();
    }

    /** {@code summary.csv}; {@code ratios.csv} if node pools or orders of the queue differ; {@code means.csv} and {@code spread.csv} if requested. */
    @Override
    public Map<String, String> tables() {
        List<SummaryRows.Row> rows = new ArrayList<>();
        parts.forEach(part -> rows.addAll(part.rows()));
        Map<String, String> tables = new LinkedHashMap<>();
        tables.put("summary.csv", SummaryRows.csv(columns, rows));
        SettingRatios ratios = new SettingRatios(runs);
        if (!ratios.isEmpty()) {
            tables.put("ratios.csv", ratios.csv());
        }
        if (!means.isEmpty()) {
            tables.put("means.csv", means.csv());
        }
        if (!spread.isEmpty()) {
            tables.put("spread.csv", spread.csv());
        }
        return tables;
    }

    @Override
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

    /** Failed runs, then of each strategy on each workflow a typical one, the worst and the best. */
    @Override
    public List<Long> examples() {
        Set<Long> examples = new LinkedHashSet<>();
        runs.all().stream()
                .filter(run -> !run.completed())
                .forEach(run -> examples.add(Long.parseLong(runs.text(run, "run"))));
        List<StrategyFigures.Examples> all = new ArrayList<>();
        parts.forEach(part -> part.overall().forEach(each -> all.add(each.examples())));
        parts.forEach(part ->
                part.byWorkflow().values().forEach(figures -> figures.forEach(each -> all.add(each.examples()))));
        all.forEach(each -> examples.add(each.typical()));
        all.forEach(each -> examples.add(each.worst()));
        all.forEach(each -> examples.add(each.best()));
        runs.all().forEach(run -> examples.add(Long.parseLong(runs.text(run, "run"))));
        examples.remove(0L);
        return List.copyOf(examples);
    }

    @Override
    public String html() {
        return new ReportBody(runs, parts, baseline).html(List.copyOf(pictures().values()))
                + spread.html()
                + means.html();
    }

    /**
     * The parts of a table of runs, as in the figures of papers: runs of a part differ only in workflow, strategy and start.
     *
     * <p>Columns that are constant or determined by other columns (the nodes by the cluster, the policy by the profile) are ignored.
     */
    private static final class Panels {
        /** The columns that may distinguish parts, in this order. */
        private static final List<String> COLUMNS = List.of(
                "cluster",
                "platform",
                "model",
                "profile",
                "estimates",
                "cap",
                "order",
                "cancelled",
                "policy",
                "placement",
                "scale_load",
                "cores_per_node",
                "task_times",
                "from_seconds",
                "group",
                "load",
                "nodes");

        /** The columns that distinguish the parts. */
        final List<String> columns;

        /** The runs of each part, by the values of those columns. */
        final Map<List<String>, List<Runs.Run>> parts = new LinkedHashMap<>();

        /** Parts by these columns; if none are named, by all that distinguish parts. */
        Panels(Runs runs, List<String> by) {
            by.forEach(column -> runs.column(Runs.columnOf(column)));
            columns = by.isEmpty() ? distinguishing(runs) : List.copyOf(by);
            for (Runs.Run run : runs.all()) {
                parts.computeIfAbsent(key(runs, run, columns), key -> new ArrayList<>())
                        .add(run);
            }
        }

        private static List<String> distinguishing(Runs runs) {
            List<String> distinguishing = new ArrayList<>();
            int parts = 1;
            for (String column : COLUMNS.stream().filter(runs::has).toList()) {
                List<String> more = new ArrayList<>(distinguishing);
                more.add(column);
                HashSet<List<String>> keys = new HashSet<>();
                runs.all().forEach(run -> keys.add(key(runs, run, more)));
                if (keys.size() > parts) {
                    distinguishing = more;
                    parts = keys.size();
                }
            }
            return distinguishing;
        }

        private static List<String> key(Runs runs, Runs.Run run, List<String> columns) {
            return columns.stream().map(column -> runs.value(run, column)).toList();
        }
    }
}
