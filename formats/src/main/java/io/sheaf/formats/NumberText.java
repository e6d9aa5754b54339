package io.sheaf.formats;

import io.sheaf.text.InputException;
import io.sheaf.text.SizeText;
import io.sheaf.text.TimeText;
import java.math.BigDecimal;

/** Parses numbers; errors name the quantity. */
public final class NumberText {
    private static final int LONGEST = 64;

    private NumberText() {}

    /** A whole number of at least this minimum. */
    public static int count(String text, int min, String noun) {
        return (int) whole(text, min, Integer.MAX_VALUE, noun);
    }

    /** A whole number, negative ones too. */
    public static int integer(String text, String noun) {
        return (int) whole(text, Integer.MIN_VALUE, Integer.MAX_VALUE, noun);
    }

    public static long bytes(String text, String noun) {
        return whole(text, 0, Long.MAX_VALUE, noun);
    }

    private static long whole(String text, long min, long max, String noun) {
        String trimmed = text.strip();
        try {
            if (trimmed.length() <= LONGEST) {
                long value = Long.parseLong(trimmed);
                if (value >= min && value <= max) {
                    return value;
                }
            }
        } catch (NumberFormatException e) {
            // Reported below, together with numbers out of range.
        }
        String range = min == Integer.MIN_VALUE ? "a whole number" : "a whole number, " + min + " or more";
        throw new InputException(noun + " is '" + brief(text) + "'; write " + range);
    }

    /** A decimal number of seconds, as microseconds; a negative one stays so. */
    public static long seconds(String text, String noun) {
        String trimmed = text.strip();
        try {
            if (trimmed.length() <= LONGEST) {
                return TimeText.microsOfSeconds(new BigDecimal(trimmed));
            }
        } catch (NumberFormatException e) {
            // Reported below, together with text that is too long.
        }
        throw new InputException(noun + " is '" + brief(text) + "'; write a number of seconds");
    }

    /** The number in a text; NaN if there is none. */
    public static double decimal(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /** A size in bytes; a bare number counts MiB, as in HTCondor and Pegasus. */
    public static long mebibytes(String text) {
        boolean bare = !text.isEmpty() && text.chars().allMatch(c -> (c >= '0' && c <= '9') || c == '.');
        return SizeText.bytes(bare ? text + "M" : text);
    }

    private static String brief(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
