package io.sheaf.formats.yaml;

import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.Workflow;
import java.util.TreeMap;

/**
 * A run time for each of several core counts, {@code {1: 1h, 8: 10m}}.
 *
 * <p>The task's expected time is the table's value for its cores, unless {@code expected} is given.
 *
 * @param expectedMicros {@link #FROM_TABLE}, {@link Workflow#UNKNOWN} or a time
 */
record TimeTable(Scaling scaling, long expectedMicros) {
    static final String EXPECTED = "expected";
    static final String UNKNOWN = "unknown";
    static final long FROM_TABLE = -2;

    static TimeTable of(Mapping fields, Scope scope) {
        TreeMap<Integer, Long> table = new TreeMap<>();
        long expected = FROM_TABLE;
        for (int i = 0; i < fields.size(); i++) {
            Text key = fields.keys().get(i);
            Text value = NodeTypes.text(fields.values().get(i), key.text());
            String text = Template.fill(value, scope);
            if (key.text().equals(EXPECTED)) {
                expected = text.equals(UNKNOWN) ? Workflow.UNKNOWN : micros(text, value.place());
            } else {
                table.put(cores(key), micros(text, value.place()));
            }
        }
        if (table.isEmpty()) {
            throw empty(fields);
        }
        Scaling scaling = new Scaling(table);
        // Times for fewer cores than the first count follow from this product.
        long work = scaling.micros(0) * scaling.cores(0);
        if (Math.multiplyHigh(scaling.micros(0), scaling.cores(0)) != 0 || work < 0) {
            throw new InputException("the run time multiplied by the number of cores is too large", fields.place());
        }
        return new TimeTable(scaling, expected);
    }

    /** Refuses what no variable can make right. */
    static void check(Mapping fields) {
        if (fields.size() == 0) {
            throw empty(fields);
        }
        fields.forEach((key, value) -> {
            if (!key.text().equals(EXPECTED)) {
                cores(key);
            }
            NodeTypes.text(value, key.text());
        });
    }

    private static int cores(Text key) {
        try {
            int cores = Integer.parseInt(key.text());
            if (cores >= 1 && Integer.toString(cores).equals(key.text())) {
                return cores;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new InputException(
                "'" + key.text() + "' is not a number of cores; a table of times looks like {1: 1h, 8: 10m}",
                key.place());
    }

    private static InputException empty(Mapping fields) {
        return new InputException("this table of times is empty; it looks like {1: 1h, 8: 10m}", fields.place());
    }

    private static long micros(String text, long place) {
        return InputException.at(place, () -> TimeText.micros(text));
    }

    long expected(long cores) {
        return expectedMicros == FROM_TABLE ? scaling.on((int) Math.min(cores, Integer.MAX_VALUE)) : expectedMicros;
    }
}
