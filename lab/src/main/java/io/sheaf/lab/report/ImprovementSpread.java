package io.sheaf.lab.report;

import io.sheaf.formats.picture.Svg;
import io.sheaf.lab.experiment.Csv;
import io.sheaf.lab.report.StrategyFigures.Measure;
import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The spread of the improvement over the values of a column: median, minimum and maximum over the parts that differ only in that column.
 *
 * <p>With the beginning of the replay as the column it shows whether a result holds for other weeks of a log.
 */
final class ImprovementSpread {
    private static final int PLACES = 4;

    private final String column;
    private final List<String> remainingColumns = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();

    /** Improvements in percent of one strategy in parts that are alike but for the column. */
    private record Row(List<String> part, String strategy, List<Double> improvements) {
        long ahead() {
            return improvements.stream().filter(each -> each > 0).count();
        }
    }

    /**
     * Over some parts.
     *
     * @param columns the columns that distinguish the parts
     * @param column one of them; empty for no spread
     */
    ImprovementSpread(List<ReportPart> parts, List<String> columns, String column) {
        this.column = column;
        if (column.isEmpty()) {
            return;
        }
        int at = columns.indexOf(column);
        if (at < 0) {
            throw new InputException("'" + column + "' is the same in all runs, or follows from another column");
        }
        remainingColumns.addAll(columns);
        remainingColumns.remove(at);
        Map<List<String>, List<Double>> all = new LinkedHashMap<>();
        for (ReportPart part : parts) {
            List<String> key = new ArrayList<>(part.values());
            key.remove(at);
            for (StrategyFigures each : part.overall()) {
                List<String> row = new ArrayList<>(key);
                row.add(each.strategy());
                List<Double> improvements = all.computeIfAbsent(row, any -> new ArrayList<>());
                // No improvement if no run of a part completed.
                if (Double.isFinite(each.mean(Measure.IMPROVEMENT))) {
                    improvements.add(each.mean(Measure.IMPROVEMENT));
                }
            }
        }
        all.forEach((key, values) ->
                rows.add(new Row(key.subList(0, remainingColumns.size()), key.get(remainingColumns.size()), values)));
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    String csv() {
        StringBuilder out = new StringBuilder();
        List<String> head = new ArrayList<>(remainingColumns);
        head.addAll(List.of(
                "strategy", "over", "values", "median_improvement", "least_improvement", "greatest_improvement"));
        out.append(String.join(",", head) + ",ahead\n");
        for (Row row : rows) {
            List<String> fields = new ArrayList<>(row.part());
            fields.addAll(List.of(
                    row.strategy(), column, Integer.toString(row.improvements().size())));
            fields.replaceAll(Csv::quoted);
            fields.addAll(figures(row, PLACES));
            out.append(String.join(",", fields) + "\n");
        }
        return out.toString();
    }

    String html() {
        if (rows.isEmpty()) {
            return "";
        }
        HtmlTable table = new HtmlTable(
                List.of("part", "strategy", "median improvement %", "minimum %", "maximum %", "better in"));
        String above = "";
        for (Row row : rows) {
            String name = row.part().isEmpty() ? "All runs" : String.join(", ", row.part());
            List<String> cells = new ArrayList<>(figures(row, 1));
            cells.add(0, row.strategy());
            cells.set(
                    cells.size() - 1, row.ahead() + " of " + row.improvements().size());
            table.row(name.equals(above) ? "" : name, "", cells, false);
            above = name;
        }
        return "<h2>Improvement over the values of " + Svg.escape(column) + "</h2>\n" + table;
    }

    private static List<String> figures(Row row, int places) {
        double[] sorted = Samples.sorted(row.improvements());
        List<String> figures = new ArrayList<>();
        for (double share : new double[] {0.5, 0, 1}) {
            figures.add(sorted.length == 0 ? "" : Csv.number(Samples.quantile(sorted, share), places));
        }
        figures.add(Long.toString(row.ahead()));
        return figures;
    }
}
