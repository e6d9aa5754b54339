package io.sheaf.lab.report;

import io.sheaf.formats.picture.Svg;
import io.sheaf.lab.experiment.Csv;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Means of some columns over all runs with the same value of a parameter, as in papers that show one parameter at a time.
 *
 * <p>The improvement of a time is that of the means, (Z − X) / Z with Z the baseline's, not the mean of the improvements of items. The rows {@code (mean)} and {@code (deviation)}
 * are over the means of all values of the parameter.
 */
final class ParameterMeans {
    private static final int PLACES = 4;

    private final Runs runs;
    private final String baseline;
    private final List<String> measures;
    private final List<String> times;
    private final List<MeansTable> tables = new ArrayList<>();

    /** The means for the values of one column: by value, then by strategy. */
    private record MeansTable(String column, Map<String, Map<String, double[]>> byValue) {}

    ParameterMeans(Runs runs, String baseline, List<String> measures, List<String> over) {
        this.runs = runs;
        this.baseline = baseline;
        this.measures = measures;
        times = measures.stream().filter(ParameterMeans::isTime).toList();
        measures.forEach(runs::column);
        over.forEach(column -> tables.add(new MeansTable(column, byValue(column))));
    }

    boolean isEmpty() {
        return tables.isEmpty();
    }

    /** Whether a measure is a time, for which less is better. */
    private static boolean isTime(String measure) {
        return measure.endsWith("Seconds") || measure.endsWith("_seconds");
    }

    private Map<String, Map<String, double[]>> byValue(String column) {
        Map<String, Map<String, double[]>> sums = new LinkedHashMap<>();
        for (Runs.Run run : runs.all()) {
            if (run.completed()) {
                double[] sum = sums.computeIfAbsent(runs.text(run, column), value -> new LinkedHashMap<>())
                        .computeIfAbsent(runs.text(run, "strategy"), each -> new double[measures.size() + 1]);
                sum[0]++;
                for (int i = 0; i < measures.size(); i++) {
                    sum[i + 1] += Double.parseDouble(runs.text(run, measures.get(i)));
                }
            }
        }
        sums.values().forEach(byStrategy -> byStrategy.values().forEach(sum -> {
            for (int i = 1; i < sum.length; i++) {
                sum[i] /= sum[0];
            }
        }));
        return sums;
    }

    String csv() {
        StringBuilder out = new StringBuilder();
        out.append("over,value,strategy,runs," + String.join(",", measures));
        for (String measure : times) {
            out.append("," + measure + "ImprovementPercent");
        }
        out.append("\n");
        for (MeansTable table : tables) {
            for (Map.Entry<String, Map<String, double[]>> value :
                    table.byValue().entrySet()) {
                for (String strategy : value.getValue().keySet()) {
                    out.append(table.column() + "," + value.getKey() + "," + strategy + ","
                            + String.join(",", cells(value.getValue(), strategy)) + "\n");
                }
            }
            for (String strategy : runs.strategies()) {
                out.append(table.column() + ",(mean)," + strategy + "," + spread(table, strategy, false) + "\n");
                out.append(table.column() + ",(deviation)," + strategy + "," + spread(table, strategy, true) + "\n");
            }
        }
        return out.toString();
    }

    private List<String> cells(Map<String, double[]> byStrategy, String strategy) {
        double[] means = byStrategy.getOrDefault(strategy, new double[0]);
        double[] compared = byStrategy.getOrDefault(baseline, new double[0]);
        List<String> cells = new ArrayList<>();
        cells.add(Csv.number(means[0], 0));
        Arrays.stream(means).skip(1).forEach(mean -> cells.add(Csv.number(mean, PLACES)));
        for (String time : times) {
            int i = measures.indexOf(time) + 1;
            cells.add(compared.length == 0 ? "" : Csv.number(100 * (compared[i] - means[i]) / compared[i], 2));
        }
        return cells;
    }

    /** Mean or deviation of the means of a strategy over the values of a column. */
    private String spread(MeansTable table, String strategy, boolean deviation) {
        StringBuilder text = new StringBuilder(Integer.toString(table.byValue().size()));
        for (int i = 0; i < measures.size(); i++) {
            int measure = i + 1;
            double[] all = table.byValue().values().stream()
                    .filter(each -> each.containsKey(strategy))
                    .mapToDouble(each -> each.getOrDefault(strategy, new double[0])[measure])
                    .toArray();
            double value = deviation ? Samples.deviation(all) : Samples.mean(all);
            text.append(',').append(Csv.number(value, PLACES));
        }
        return text.append(",".repeat(times.size())).toString();
    }

    /** A picture for each column: the first measure with a line for each strategy. */
    Map<String, String> pictures() {
        Map<String, String> pictures = new LinkedHashMap<>();
        for (MeansTable table : tables) {
            Map<String, double[]> lines = new LinkedHashMap<>();
            for (String strategy : runs.strategies()) {
                lines.put(
                        strategy,
                        table.byValue().values().stream()
                                .mapToDouble(each -> each.containsKey(strategy)
                                        ? each.getOrDefault(strategy, new double[0])[1]
                                        : Double.NaN)
                                .toArray());
            }
            pictures.put(
                    "means-" + table.column() + ".svg",
                    Charts.lines(
                            List.copyOf(table.byValue().keySet()), lines, measures.get(0) + " by " + table.column()));
        }
        return pictures;
    }

    /** The means as a part of a page. */
    String html() {
        StringBuilder out = new StringBuilder();
        List<String> pictures = List.copyOf(pictures().values());
        for (int i = 0; i < tables.size(); i++) {
            MeansTable table = tables.get(i);
            List<String> head = new ArrayList<>(List.of(table.column(), "strategy", "runs"));
            head.addAll(measures);
            times.forEach(time -> head.add(time + " improved by %"));
            HtmlTable rows = new HtmlTable(head);
            table.byValue().forEach((value, byStrategy) -> {
                boolean first = true;
                for (String strategy : byStrategy.keySet()) {
                    List<String> cells = new ArrayList<>(List.of(strategy));
                    cells.addAll(cells(byStrategy, strategy));
                    rows.row(first ? value : "", "", cells, false);
                    first = false;
                }
            });
            out.append("<h2>Means by ").append(Svg.escape(table.column())).append("</h2>\n<figure>");
            out.append(pictures.get(i)).append("</figure>\n<details><summary>As a table</summary>");
            out.append(rows).append("</details>\n");
        }
        return out.toString();
    }
}
