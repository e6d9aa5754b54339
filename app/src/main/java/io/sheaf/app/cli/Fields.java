package io.sheaf.app.cli;

import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;

/**
 * The figures of a result, described once: each has a label and a text, a JSON field and a value, or both.
 *
 * <p>One description prints labelled lines, an aligned table, JSON fields, and the facts of a page. Lines and facts
 * omit empty texts.
 *
 * @param <R> the type of the result
 */
public final class Fields<R> {
    private static final double HOUR = 3_600_000;
    private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB", "PiB");
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}&&[^\\t\\n]]");

    private record TableColumn<R>(String label, char alignment, Function<R, String> text) {}

    private final List<TableColumn<R>> shown = new ArrayList<>();
    private final List<BiConsumer<JsonOut, R>> fields = new ArrayList<>();

    /** A text for display only, left-aligned in a table. */
    public Fields<R> left(String label, Function<R, String> text) {
        shown.add(new TableColumn<>(label, '<', text));
        return this;
    }

    /** A text for display only, right-aligned in a table. */
    public Fields<R> right(String label, Function<R, String> text) {
        shown.add(new TableColumn<>(label, '>', text));
        return this;
    }

    /** Fields for JSON only. */
    public Fields<R> field(BiConsumer<JsonOut, R> field) {
        fields.add(field);
        return this;
    }

    /** The figures of a part of the result. */
    public <P> Fields<R> of(Fields<P> others, Function<R, P> part) {
        others.shown.forEach(each ->
                shown.add(new TableColumn<>(each.label, each.alignment, row -> each.text.apply(part.apply(row)))));
        others.fields.forEach(each -> field((out, row) -> each.accept(out, part.apply(row))));
        return this;
    }

    public Fields<R> text(String label, String field, Function<R, String> value) {
        return left(label, value).field((out, row) -> out.field(field, value.apply(row)));
    }

    public Fields<R> count(String label, String field, ToLongFunction<R> value) {
        return right(label, row -> Rounded.count(value.applyAsLong(row))).count(field, value);
    }

    /** A number for JSON only. */
    public Fields<R> count(String field, ToLongFunction<R> value) {
        return field((out, row) -> out.field(field, value.applyAsLong(row)));
    }

    /** A time in milliseconds, in seconds in JSON. */
    public Fields<R> time(String label, String field, ToLongFunction<R> millis) {
        return right(label, row -> Rounded.time(millis.applyAsLong(row))).time(field, millis);
    }

    /** A time in milliseconds for JSON only, in seconds. */
    public Fields<R> time(String field, ToLongFunction<R> millis) {
        return field((out, row) -> out.seconds(field, millis.applyAsLong(row) * 1000));
    }

    /** Node-milliseconds, in hours with a number of decimals in JSON. */
    public Fields<R> nodeHours(String label, String field, int places, ToLongFunction<R> millis) {
        return right(label, row -> Rounded.hours(millis.applyAsLong(row))).nodeHours(field, places, millis);
    }

    /** Node-milliseconds for JSON only. */
    public Fields<R> nodeHours(String field, int places, ToLongFunction<R> millis) {
        return field((out, row) -> out.decimal(field, millis.applyAsLong(row) / HOUR, places));
    }

    /** A decimal number; {@code -} or null for NaN. */
    public Fields<R> decimal(
            String label, String field, int places, ToDoubleFunction<R> value, DoubleFunction<String> text) {
        return right(label, row -> Double.isNaN(value.applyAsDouble(row)) ? "-" : text.apply(value.applyAsDouble(row)))
                .decimal(field, places, value);
    }

    /** A decimal number for JSON only. */
    public Fields<R> decimal(String field, int places, ToDoubleFunction<R> value) {
        return field((out, row) -> out.decimal(field, value.applyAsDouble(row), places));
    }

    /** A number as a text with a number of decimals and a unit. */
    public static DoubleFunction<String> fixed(int places, String unit) {
        return value -> DecimalText.fixed(value, places) + unit;
    }

    /** A size in a binary unit: {@code 31.5 MiB}; without decimals from this number of units on. */
    public static String bytes(long bytes, int whole) {
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < UNITS.size() - 1) {
            value /= 1024;
            unit++;
        }
        return DecimalText.fixed(value, unit == 0 || value >= whole ? 0 : 1) + " " + UNITS.get(unit);
    }

    /** Prints a line for each text: the label, and the text in a column. */
    public void lines(PrintWriter out, R result) {
        facts(result).forEach((label, text) -> out.println(line(label, text)));
    }

    /** A label and a text, with the text in the common column. */
    public static String line(String label, String text) {
        return String.format(Locale.ROOT, "%-17s ", label) + plain(text);
    }

    /** A text without control characters but tab and line feed: names and output of tasks must not command a terminal. */
    public static String plain(String text) {
        return CONTROL.matcher(text).replaceAll("?");
    }

    /** The texts by label, in order. */
    public Map<String, String> facts(R result) {
        Map<String, String> facts = new LinkedHashMap<>();
        for (TableColumn<R> each : shown) {
            String text = each.text.apply(result);
            if (!text.isEmpty()) {
                facts.put(each.label, text);
            }
        }
        return facts;
    }

    /** The labels: the head of a table. */
    public List<String> labels() {
        return shown.stream().map(TableColumn::label).toList();
    }

    /** The texts: a row of a table. */
    public List<String> cells(R row) {
        return shown.stream().map(each -> each.text.apply(row)).toList();
    }

    /** Prints a table with one row per element. */
    public void table(PrintWriter out, Collection<R> rows) {
        tableOf(out, rows.stream().map(this::cells).toList());
    }

    /** Prints a table of rows with these columns. */
    public void tableOf(PrintWriter out, List<List<String>> rows) {
        StringBuilder alignment = new StringBuilder();
        shown.forEach(each -> alignment.append(each.alignment));
        Table.print(out, labels(), rows, alignment.toString());
    }

    /** Writes the fields into an open object. */
    public void fields(JsonOut out, R result) {
        fields.forEach(each -> each.accept(out, result));
    }

    /** Writes an array with one object per element. */
    public void array(JsonOut out, String name, Collection<R> rows) {
        out.objects(name, rows, row -> fields(out, row));
    }
}
