package io.sheaf.lab.report;

import io.sheaf.text.InputException;

/** A column cut in two, written {@code width>128}: what is greater, and what is not. */
final class Threshold {
    private Threshold() {}

    /** The column that is meant. */
    static String column(String text) {
        int sign = text.indexOf('>');
        return sign < 0 ? text : text.substring(0, sign).strip();
    }

    /** What a run has there: the value itself, or on which side of the threshold it is. */
    static String value(Runs runs, Runs.Run run, String text) {
        int sign = text.indexOf('>');
        if (sign < 0) {
            return runs.text(run, text);
        }
        String limit = text.substring(sign + 1).strip();
        try {
            return (runs.number(run, column(text)) > Double.parseDouble(limit) ? "above " : "up to ") + limit;
        } catch (NumberFormatException e) {
            throw new InputException("'" + text + "': '" + limit + "' is no number; write e.g. width>128");
        }
    }
}
