package io.sheaf.lab.report;

import io.sheaf.lab.Lab;
import io.sheaf.lab.Manifest;
import io.sheaf.lab.experiment.Csv;
import io.sheaf.text.DecimalText;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** The report of a study: mean and standard deviation of each measure over the rows with equal keys. */
public final class StudyReport implements LabReport {
    /** The key of rows over all values of that key. */
    private static final String ALL = "all";

    private final Map<String, String> manifest;
    private final List<String> columns;
    private final int keys;
    private int failed;
    private final Map<List<String>, List<double[]>> groups = new LinkedHashMap<>();

    private StudyReport(Map<String, String> manifest, List<List<String>> table) {
        this.manifest = manifest;
        // Without the number of the piece and the reason of a failure.
        columns = table.get(0).subList(1, table.get(0).size() - 1);
        keys = manifest.getOrDefault("keys", "").split(",", -1).length;
        for (List<String> whole : table.subList(1, table.size())) {
            List<String> row = whole.subList(1, whole.size() - 1);
            if (!whole.get(whole.size() - 1).isEmpty()) {
                failed++;
                continue;
            }
            double[] measures = row.subList(keys, row.size()).stream()
                    .mapToDouble(each -> each.isEmpty() ? Double.NaN : Double.parseDouble(each))
                    .toArray();
            groups.computeIfAbsent(row.subList(0, keys), each -> new ArrayList<>())
                    .add(measures);
        }
    }

    static StudyReport read(Path folder) {
        Path table = folder.resolve(Lab.TABLE);
        try {
            List<List<String>> rows = new ArrayList<>();
            Map<String, String> interned = new LinkedHashMap<>();
            Files.readAllLines(table).forEach(line -> rows.add(Csv.fields(line, interned)));
            return new StudyReport(Manifest.read(folder), rows);
        } catch (IOException e) {
            throw new InputException("cannot be read; finish 'sheaf lab run' first").in(table.toString());
        } catch (NumberFormatException e) {
            throw new InputException("contains text instead of a number: " + e.getMessage()).in(table.toString());
        }
    }

    @Override
    public String title() {
        return manifest.getOrDefault("title", "Study");
    }

    @Override
    public String origin() {
        int rows = groups.values().stream().mapToInt(List::size).sum();
        return rows + " rows" + (failed == 0 ? "" : ", " + failed + " pieces failed: see runs.csv") + ", Sheaf "
                + manifest.get("version") + ": " + manifest.get("command");
    }

    @Override
    public int failed() {
        return failed;
    }

    @Override
    public List<Long> examples() {
        return List.of();
    }

    @Override
    public Map<String, String> tables() {
        return Map.of("summary.csv", summary());
    }

    /** The keys, the number of rows, and mean and deviation of each measure. */
    private String summary() {
        StringBuilder out = new StringBuilder();
        out.append(String.join(",", columns.subList(0, keys)) + ",rows");
        measures().forEach(i -> out.append("," + columns.get(i) + "," + columns.get(i) + "_sd"));
        out.append("\n");
        for (Map.Entry<List<String>, List<double[]>> group : groups.entrySet()) {
            out.append(String.join(",", group.getKey()) + "," + group.getValue().size());
            measures().forEach(i -> {
                double[] values = values(group.getValue(), i - keys);
                out.append("," + number(Samples.mean(values)) + "," + number(deviation(values)));
            });
            out.append("\n");
        }
        return out.toString();
    }

    @Override
    public String html() {
        List<String> head = new ArrayList<>(columns.subList(0, keys));
        head.add("rows");
        measures().forEach(i -> head.add(columns.get(i)));
        HtmlTable table = new HtmlTable(head);
        String first = "";
        for (Map.Entry<List<String>, List<double[]>> group : groups.entrySet()) {
            String name = group.getKey().get(0);
            List<String> cells = new ArrayList<>(group.getKey().subList(1, keys));
            cells.add(Integer.toString(group.getValue().size()));
            measures().forEach(i -> {
                double[] values = values(group.getValue(), i - keys);
                cells.add(number(Samples.mean(values)) + " ± " + number(deviation(values)));
            });
            table.row(name.equals(first) ? "" : name, "", cells, false);
            first = name;
        }
        Map<String, String> plots = pictures();
        String drawn = plots.isEmpty() ? "" : "<h2>Reliability</h2>\n" + String.join("", plots.values());
        return drawn + "<h2>Means and deviations</h2>\n" + table;
    }

    /** For quantiles, a reliability plot for each value of the first key, over all values of the other keys. */
    @Override
    public Map<String, String> pictures() {
        double[] levels = Reliability.levels(columns);
        int first = columns.indexOf(columns.stream()
                        .filter(Reliability::isLevel)
                        .findFirst()
                        .orElse(""))
                - keys;
        Map<String, Reliability> plots = new LinkedHashMap<>();
        groups.forEach((key, rows) -> {
            if (levels.length > 0 && key.subList(1, keys - 1).stream().allMatch(each -> each.equals(ALL))) {
                double[] observed = new double[levels.length];
                Arrays.setAll(observed, i -> Samples.mean(values(rows, first + i)));
                plots.computeIfAbsent(key.get(0), each -> new Reliability(levels))
                        .add(key.get(keys - 1), observed);
            }
        });
        Map<String, String> pictures = new LinkedHashMap<>();
        plots.forEach((name, plot) -> pictures.put(
                "reliability-" + name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + ".svg", plot.svg(name)));
        return pictures;
    }

    /** The columns of measures, without those that only locate a row in the experiment. */
    private IntStream measures() {
        return IntStream.range(keys, columns.size())
                .filter(i ->
                        !columns.get(i).equals("repetition") && !columns.get(i).equals("start"));
    }

    private static double[] values(List<double[]> rows, int measure) {
        return rows.stream()
                .mapToDouble(row -> row[measure])
                .filter(Double::isFinite)
                .toArray();
    }

    private static double deviation(double[] values) {
        return values.length < 2 ? 0 : Samples.deviation(values);
    }

    private static String number(double value) {
        return Double.isFinite(value) ? DecimalText.fixed(value, Math.abs(value) < 100 ? 2 : 0) : "";
    }
}
