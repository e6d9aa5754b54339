package io.sheaf.lab.report;

import io.sheaf.lab.experiment.Csv;
import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The table of runs of an experiment. */
final class Runs {
    /**
     * One run.
     *
     * @param fields all columns as texts
     * @param item runs of the same item differ only in the strategy
     */
    record Run(List<String> fields, long item, boolean completed, double makespan, double bound) {}

    private static final double WEEK = 7 * 86_400;

    private final List<String> columns;
    private final List<String> strategies;
    private final List<Run> runs = new ArrayList<>();

    private Runs(List<String> columns, List<String> strategies) {
        this.columns = columns;
        this.strategies = strategies;
    }

    static Runs read(Path table) {
        Map<String, String> interned = new HashMap<>();
        try (BufferedReader lines = Files.newBufferedReader(table)) {
            String head = lines.readLine();
            List<String> columns = head == null ? List.of() : words(Csv.fields(head, interned));
            for (String needed : List.of("run", "strategy", "completed", "makespan_seconds", "lower_bound_seconds")) {
                if (!columns.contains(needed)) {
                    throw new InputException("has no column '" + needed + "'; is it a table of 'sheaf lab run'?")
                            .in(table.toString());
                }
            }
            List<List<String>> rows = new ArrayList<>();
            Set<String> strategies = new LinkedHashSet<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                List<String> fields = Csv.fields(line, interned);
                if (fields.size() != columns.size()) {
                    throw new InputException("row " + (rows.size() + 1) + " has " + fields.size() + " fields, not "
                                    + columns.size())
                            .in(table.toString());
                }
                rows.add(fields);
                strategies.add(fields.get(columns.indexOf("strategy")));
            }
            Runs runs = new Runs(columns, List.copyOf(strategies));
            int completed = columns.indexOf("completed");
            // A run that a study did not publish has a row only for the numbering.
            rows.stream().filter(row -> !row.get(completed).isEmpty()).forEach(runs::add);
            return runs;
        } catch (IOException e) {
            throw new InputException("cannot be read; finish 'sheaf lab run' first").in(table.toString());
        } catch (NumberFormatException e) {
            throw new InputException("contains text instead of a number: " + e.getMessage()).in(table.toString());
        }
    }

    /** The columns with the names of reports; some experiments use those of their paper, e.g. {@code makespanSeconds} of a {@code policy}. */
    private static List<String> words(List<String> columns) {
        return columns.stream()
                .map(column -> column.equals("policy") && !columns.contains("strategy") ? "strategy" : words(column))
                .toList();
    }

    private static String words(String column) {
        return column.replaceAll("([a-z])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }

    private void add(List<String> fields) {
        long run = Long.parseLong(fields.get(columns.indexOf("run")));
        runs.add(new Run(
                fields,
                (run - 1) / strategies.size(),
                fields.get(columns.indexOf("completed")).equals("1"),
                Double.parseDouble(fields.get(columns.indexOf("makespan_seconds"))),
                Double.parseDouble(fields.get(columns.indexOf("lower_bound_seconds")))));
    }

    List<Run> all() {
        return runs;
    }

    /** The strategies in the order of the first item. */
    List<String> strategies() {
        return strategies;
    }

    /** The index of a column; throws if it does not exist. */
    int column(String name) {
        int at = columns.indexOf(name);
        at = at < 0 ? columns.indexOf(words(name)) : at;
        if (at < 0) {
            throw new InputException("the table has no column '" + name + "'." + Nearest.hint(name, columns)
                    + " Columns: " + String.join(", ", columns) + ".");
        }
        return at;
    }

    String text(Run run, String column) {
        return run.fields().get(column(column));
    }

    /** The value of a column; NaN if the column or the value is missing. */
    double number(Run run, String column) {
        int at = columns.indexOf(column);
        String text = at < 0 ? "" : run.fields().get(at);
        return text.isEmpty() ? Double.NaN : Double.parseDouble(text);
    }

    /**
     * The week of the background in which a run starts: runs of one week share most of the queue. Empty in tables without start times.
     */
    String week(Run run) {
        double start = number(run, "from_seconds") + number(run, "start_seconds");
        if (Double.isNaN(start)) {
            return "";
        }
        return text(run, "cluster") + "/" + text(run, "load") + "/" + text(run, "seed") + "/" + (long) (start / WEEK);
    }

    /** The column of a threshold like {@code width>128}, or of a plain name. */
    static String columnOf(String text) {
        int sign = text.indexOf('>');
        return sign < 0 ? text : text.substring(0, sign).strip();
    }

    /** The value of a column, or the side of a threshold. */
    String value(Run run, String text) {
        int sign = text.indexOf('>');
        if (sign < 0) {
            return text(run, text);
        }
        String limit = text.substring(sign + 1).strip();
        try {
            return (number(run, columnOf(text)) > Double.parseDouble(limit) ? "above " : "up to ") + limit;
        } catch (NumberFormatException e) {
            throw new InputException("'" + text + "': '" + limit + "' is not a number; write e.g. width>128");
        }
    }

    boolean has(String column) {
        return columns.contains(column);
    }

    /** Only those runs that exist for every value of a column, with all other parameters equal. */
    Runs paired(String column) {
        int at = column(column);
        Map<List<String>, Set<String>> values = new HashMap<>();
        Set<String> all = new LinkedHashSet<>();
        for (Run run : runs) {
            all.add(run.fields().get(at));
            values.computeIfAbsent(others(run, at), key -> new HashSet<>())
                    .add(run.fields().get(at));
        }
        Runs kept = new Runs(columns, strategies);
        runs.stream()
                .filter(run -> values.getOrDefault(others(run, at), Set.of()).size() == all.size())
                .forEach(kept.runs::add);
        return kept;
    }

    /** The parameters of a run, which are between its number and its outcome, without one of them. */
    List<String> others(Run run, int without) {
        List<String> parameters = new ArrayList<>(run.fields().subList(1, columns.indexOf("completed")));
        parameters.set(without - 1, "");
        return parameters;
    }
}
