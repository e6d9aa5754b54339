package io.sheaf.lab.experiment;

import io.sheaf.formats.TextLines;
import io.sheaf.text.DecimalText;
import java.util.List;
import java.util.Map;

/** Fields and rows of comma-separated tables. */
public final class Csv {
    private Csv() {}

    /** A text as a field: in quotes where necessary; a line break becomes a blank. */
    public static String quoted(String text) {
        boolean plain = text.indexOf(',') < 0 && text.indexOf('"') < 0 && text.indexOf('\n') < 0;
        return plain ? text : "\"" + text.replace("\"", "\"\"").replace("\n", " ") + "\"";
    }

    /**
     * The fields of a row.
     *
     * @param interned holds one object for equal texts, since a long table repeats few values
     */
    public static List<String> fields(String row, Map<String, String> interned) {
        return TextLines.cells(row, ',').stream()
                .map(field -> interned.computeIfAbsent(field, text -> text))
                .toList();
    }

    /** Milliseconds as seconds with three decimals. */
    public static String seconds(long millis) {
        long rest = Math.abs(millis % 1000);
        return (millis < 0 ? "-" : "") + Math.abs(millis / 1000) + (rest < 10 ? ".00" : rest < 100 ? ".0" : ".") + rest;
    }

    /** A number with fixed decimals; empty if it is not finite. */
    public static String number(double value, int places) {
        return Double.isFinite(value) ? DecimalText.fixed(value, places) : "";
    }

    /** The reason of a failure as a field without tabs, which separate rows in the result log. */
    public static String reason(String reason) {
        return reason.replace('\t', ' ');
    }

    /** Whether a row is that of a failed run: its last field holds the reason. */
    public static boolean isFailed(String row) {
        return !row.endsWith(",");
    }
}
