package io.sheaf.formats.yaml;

import io.sheaf.formats.yaml.Node.Fields;
import io.sheaf.formats.yaml.Node.Items;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a task is repeated for: every combination of some variables' values, the last variable changing fastest, or the rows
 * of a table.
 */
final class Foreach {
    /** Tasks that one file may describe. */
    static final int MOST_TASKS = 10_000_000;

    private final List<String> names;
    private final List<Values> columns;
    private final int[] stride;
    private final int size;

    private Foreach(List<String> names, List<Values> columns, int[] stride, int size) {
        this.names = names;
        this.columns = columns;
        this.stride = stride;
        this.size = size;
    }

    static Foreach of(Node node, Scope globals) {
        if (node instanceof Fields fields && fields.size() > 0) {
            return product(fields, globals);
        }
        if (node instanceof Items items && !items.items().isEmpty()) {
            return table(items, globals);
        }
        throw new InputException(
                "foreach must be a map from variables to values, as in 'foreach: {x: [a, b], i: 1..3}', or a list of such maps",
                node.place());
    }

    private static Foreach product(Fields fields, Scope globals) {
        List<String> names = new ArrayList<>();
        List<Values> columns = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            names.add(Scope.checkName(fields.keys().get(i)));
            columns.add(values(names.get(i), fields.values().get(i), globals));
        }
        int[] stride = new int[names.size()];
        long size = 1;
        for (int i = names.size() - 1; i >= 0; i--) {
            stride[i] = (int) size;
            size *= columns.get(i).size();
            if (size > MOST_TASKS) {
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
            Fields row = Shape.fields(item, "a row of foreach");
            if (names.isEmpty()) {
                for (Text name : row.keys()) {
                    names.add(Scope.checkName(name));
                    columns.add(new ArrayList<>());
                }
            }
            if (row.size() != names.size() || names.isEmpty()) {
                throw new InputException("every row of a foreach needs the same variables, here " + names, row.place());
            }
            for (int i = 0; i < row.size(); i++) {
                int variable = names.indexOf(row.keys().get(i).text());
                if (variable < 0) {
                    throw new InputException(
                            "every row of a foreach needs the same variables, here " + names, row.place());
                }
                columns.get(variable).add(Template.fill(Shape.text(row.values().get(i), names.get(variable)), globals));
            }
        }
        int[] stride = new int[names.size()];
        Arrays.fill(stride, 1);
        List<Values> values = new ArrayList<>();
        columns.forEach(column -> values.add(new Values.Listed(column)));
        return new Foreach(names, values, stride, rows.items().size());
    }

    /** A list, a range, or the name of a list. */
    static Values values(String name, Node node, Scope globals) {
        if (node instanceof Items items) {
            List<String> values = new ArrayList<>();
            for (Node item : items.items()) {
                values.add(Template.fill(Shape.text(item, name), globals));
            }
            if (values.isEmpty()) {
                throw new InputException("'" + name + "' has no values; list some", node.place());
            }
            return new Values.Listed(values);
        }
        Text text = Shape.text(node, name);
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

    int size() {
        return size;
    }

    List<String> names() {
        return names;
    }

    int find(String name) {
        return names.indexOf(name);
    }

    String value(int variable, int row) {
        Values column = columns.get(variable);
        return column.get(row / stride[variable] % column.size());
    }
}
