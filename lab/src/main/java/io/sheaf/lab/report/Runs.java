package io.sheaf.lab.report;

import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A table of runs as it was written, and which of them belong together: an item is a workflow from one start, run with every strategy. */
final class Runs {
    /**
     * One run.
     *
     * @param fields all columns as texts
     * @param item runs with the same one differ in the strategy only
     */
    record Run(List<String> fields, long item, boolean completed, double makespan, double bound) {}

    private final List<String> columns;
    private final List<String> strategies;
    private final List<Run> runs = new ArrayList<>();

    private Runs(List<String> columns, List<String> strategies) {
        this.columns = columns;
        this.strategies = strategies;
    }

    static Runs read(Path table) {
        Map<String, String> same = new HashMap<>();
        try (BufferedReader lines = Files.newBufferedReader(table)) {
            String head = lines.readLine();
            List<String> columns = head == null ? List.of() : fields(head, same);
            for (String needed : List.of("run", "strategy", "completed", "makespan_seconds", "lower_bound_seconds")) {
                if (!columns.contains(needed)) {
                    throw new InputException("has no column '" + needed + "'; is it a table of 'sheaf lab run'?")
                            .in(table.toString());
                }
            }
            List<List<String>> rows = new ArrayList<>();
            Set<String> strategies = new LinkedHashSet<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                List<String> fields = fields(line, same);
                if (fields.size() != columns.size()) {
                    throw new InputException("row " + (rows.size() + 1) + " has " + fields.size() + " fields, not "
                                    + columns.size())
                            .in(table.toString());
                }
                rows.add(fields);
                strategies.add(fields.get(columns.indexOf("strategy")));
            }
            Runs runs = new Runs(columns, List.copyOf(strategies));
            rows.forEach(runs::add);
            return runs;
        } catch (IOException e) {
            throw new InputException("cannot be read; let 'sheaf lab run' come to its end").in(table.toString());
        } catch (NumberFormatException e) {
            throw new InputException("holds a text where a number belongs: " + e.getMessage()).in(table.toString());
        }
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

    /** The fields of a line; equal ones are one object, since a long table repeats the same few. */
    static List<String> fields(String line, Map<String, String> same) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i <= line.length(); i++) {
            char c = i < line.length() ? line.charAt(i) : ',';
            if (c == '"') {
                if (quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                    field.append(c);
                    i++;
                } else {
                    quoted = !quoted;
                }
            } else if (c == ',' && (!quoted || i == line.length())) {
                fields.add(same.computeIfAbsent(field.toString(), text -> text));
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        return List.copyOf(fields);
    }

    List<Run> all() {
        return runs;
    }

    /** In the order of the first item. */
    List<String> strategies() {
        return strategies;
    }

    /** Which column this is; refuses one that there is not. */
    int column(String name) {
        int at = columns.indexOf(name);
        if (at < 0) {
            throw new InputException("the table has no column '" + name + "'." + Nearest.hint(name, columns));
        }
        return at;
    }

    String text(Run run, String column) {
        return run.fields().get(column(column));
    }

    double number(Run run, String column) {
        return Double.parseDouble(text(run, column));
    }
}
