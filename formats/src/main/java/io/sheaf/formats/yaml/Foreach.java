package io.sheaf.formats.yaml;

import io.sheaf.formats.yaml.Node.Items;
import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a task is repeated for: every combination of some variables' values, the last variable changing fastest, or the rows
 * of a table.
 */
@SuppressWarnings("ArrayRecordComponent") // They are not compared.
record Foreach(List<String> names, List<Values> columns, int[] stride, int size) {
    /** Tasks that one file may describe. */
    static final int MAX_TASKS = 10_000_000;

    static final String GLOB = "glob";
    private static final String COLUMN = "column";
    private static final Map<String, Character> SEPARATORS = Map.of("csv", ',', "tsv", '\t');
    private static final List<String> FOUND_KEYS = List.of(GLOB, "csv", "tsv", COLUMN);

    static Foreach of(Node node, Scope globals) {
        if (node instanceof Mapping fields && fields.size() == 1 && isTable(fields, globals)) {
            return rows(fields, globals);
        }
        if (node instanceof Mapping fields && fields.size() > 0) {
            return product(fields, globals);
        }
        if (node instanceof Items items && !items.items().isEmpty()) {
            return table(items, globals);
        }
        throw new InputException(
                "foreach must be a map from variables to values, as in 'foreach: {x: [a, b], i: 1..3}', or a list of such maps",
                node.place());
    }

    /** Whether it is {@code {csv: FILE}} rather than a variable of this name. */
    private static boolean isTable(Mapping fields, Scope globals) {
        return SEPARATORS.containsKey(fields.keys().get(0).text())
                && fields.values().get(0) instanceof Text text
                && globals.list(text.text()) == null
                && Values.Range.parse(text.text(), text) == null;
    }

    /** Rows of a file; its columns are the variables. */
    private static Foreach rows(Mapping fields, Scope globals) {
        FoundFiles.HeaderTable table = table(fields, globals);
        List<String> names = new ArrayList<>();
        List<Values> columns = new ArrayList<>();
        for (int i = 0; i < table.columns().size(); i++) {
            names.add(Scope.checkName(new Text(table.columns().get(i), Node.Style.QUOTED, fields.place())));
            int column = i;
            columns.add(new Values.Listed(
                    table.rows().stream().map(row -> row.get(column)).toList()));
        }
        return table(names, columns, table.rows().size());
    }

    private static FoundFiles.HeaderTable table(Mapping fields, Scope globals) {
        for (Text key : fields.keys()) {
            Character separator = SEPARATORS.get(key.text());
            if (separator != null) {
                Text file = NodeTypes.text(Objects.requireNonNull(fields.get(key.text())), key.text());
                return globals.found().table(Template.fill(file, globals), separator, file.place());
            }
        }
        throw new InputException("a table is {csv: FILE} or {tsv: FILE}", fields.place());
    }

    /** Whether these are values that are found in files: {@code {glob: PATTERN}} or a column of a table. */
    static boolean isFound(Mapping fields) {
        return fields.get(GLOB) != null || SEPARATORS.keySet().stream().anyMatch(key -> fields.get(key) != null);
    }

    private static Values found(Mapping fields, Scope globals) {
        NodeTypes.checkKeys(fields, "'foreach'", FOUND_KEYS);
        Node glob = fields.get(GLOB);
        if (glob != null) {
            Text pattern = NodeTypes.text(glob, GLOB);
            String filled = Template.fill(pattern, globals);
            if (!FoundFiles.isPattern(filled)) {
                throw new InputException("'" + filled + "' has no '*' or '?'", pattern.place());
            }
            return new Values.Listed(globals.found().values(filled, pattern.place()));
        }
        FoundFiles.HeaderTable table = table(fields, globals);
        Node named = fields.get(COLUMN);
        if (named == null) {
            throw new InputException(
                    "name a column, as in {csv: samples.csv, column: "
                            + table.columns().get(0) + "}",
                    fields.place());
        }
        Text column = NodeTypes.text(named, COLUMN);
        int number = table.columns().indexOf(column.text());
        if (number < 0) {
            throw new InputException(
                    "there is no column '" + column.text() + "'." + Nearest.hint(column.text(), table.columns())
                            + " Columns: " + String.join(", ", table.columns()),
                    column.place());
        }
        return new Values.Listed(table.distinct(number));
    }

    private static Foreach product(Mapping fields, Scope globals) {
        List<String> names = new ArrayList<>();
        List<Values> columns = new ArrayList<>();
        fields.forEach((key, node) -> {
            String name = Scope.checkName(key);
            names.add(name);
            columns.add(values(name, node, globals));
        });
        int[] stride = new int[names.size()];
        long size = 1;
        for (int i = names.size() - 1; i >= 0; i--) {
            stride[i] = (int) size;
            size *= columns.get(i).size();
            if (size > MAX_TASKS) {
                throw tooMany(fields.place());
            }
        }
        return new Foreach(names, columns, stride, (int) size);
    }

    /** Rows: each is a map with a value for every variable. */
    private static Foreach table(Items rows, Scope globals) {
        List<String> names = new ArrayList<>();
        List<List<String>> columns = new ArrayList<>();
        for (Node item : rows.items()) {
            Mapping row = NodeTypes.fields(item, "a row of foreach");
            if (names.isEmpty()) {
                for (Text name : row.keys()) {
                    names.add(Scope.checkName(name));
                    columns.add(new ArrayList<>());
                }
            }
            if (row.size() != names.size() || names.isEmpty()) {
                throw new InputException("every row of a foreach needs the same variables, here " + names, row.place());
            }
            row.forEach((name, value) -> {
                int variable = names.indexOf(name.text());
                if (variable < 0) {
                    throw new InputException(
                            "every row of a foreach needs the same variables, here " + names, row.place());
                }
                columns.get(variable).add(Template.fill(NodeTypes.text(value, name.text()), globals));
            });
        }
        List<Values> values = new ArrayList<>();
        columns.forEach(column -> values.add(new Values.Listed(column)));
        return table(names, values, rows.items().size());
    }

    private static Foreach table(List<String> names, List<Values> columns, int rows) {
        int[] stride = new int[names.size()];
        Arrays.fill(stride, 1);
        return new Foreach(names, columns, stride, rows);
    }

    /** A list, a range, or the name of a list. */
    static Values values(String name, Node node, Scope globals) {
        if (node instanceof Items items) {
            List<String> values = items.items().stream()
                    .map(item -> Template.fill(NodeTypes.text(item, name), globals))
                    .toList();
            if (values.isEmpty()) {
                throw new InputException("'" + name + "' has no values; list some", node.place());
            }
            return new Values.Listed(values);
        }
        if (node instanceof Mapping fields) {
            return found(fields, globals);
        }
        Text text = NodeTypes.text(node, name);
        String filled = Template.fill(text, globals);
        Values range = Values.Range.parse(filled, text);
        Values found = range != null ? range : globals.list(filled);
        if (found == null) {
            throw new InputException(
                    "'" + filled + "' is neither a list, nor a range such as 1..10, nor the name of a list in vars."
                            + globals.listHint(filled),
                    node.place());
        }
        return found;
    }

    static InputException tooMany(long place) {
        return new InputException("this makes more than 10,000,000 tasks; Sheaf does not read more", place);
    }

    int find(String name) {
        return names.indexOf(name);
    }

    String value(int variable, int row) {
        Values column = columns.get(variable);
        return column.get(row / stride[variable] % column.size());
    }
}
