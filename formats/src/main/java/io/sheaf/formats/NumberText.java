package io.sheaf.formats;

import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import java.math.BigDecimal;

/** Parses numbers; errors name the quantity. */
public final class NumberText {
    private static final int LONGEST = 64;

    private NumberText() {}

    /** A whole number of at least this minimum. */
    public static int count(String text, int least, String what) {
        return (int) whole(text, least, Integer.MAX_VALUE, what);
    }

    /** A whole number, negative ones too. */
    public static int integer(String text, String what) {
        return (int) whole(text, Integer.MIN_VALUE, Integer.MAX_VALUE, what);
    }

    public static long bytes(String text, String what) {
        return whole(text, 0, Long.MAX_VALUE, what);
    }

    private static long whole(String text, long least, long most, String what) {
        String trimmed = text.strip();
        try {
            if (trimmed.length() <= LONGEST) {
                long value = Long.parseLong(trimmed);
                if (value >= least && value <= most) {
                    return value;
                }
            }
        } catch (NumberFormatException e) {
            // Reported below, together with numbers out of range.
        }
        String range = least == Integer.MIN_VALUE ? "a whole number" : "a whole number, " + least + " or more";
        throw new InputException(what + " is '" + brief(text) + "'; write " + range);
    }

    /** A decimal number of seconds, as microseconds; a negative one stays so. */
    public static long seconds(String text, String what) {
        String trimmed = text.strip();
        try {
            if (trimmed.length() <= LONGEST) {
                return TimeText.microsOfSeconds(new BigDecimal(trimmed));
            }
        } catch (NumberFormatException e) {
            // Reported below, together with text that is too long.
        }
        throw new InputException(what + " is '" + brief(text) + "'; write a number of seconds");
    }

    private static String brief(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
