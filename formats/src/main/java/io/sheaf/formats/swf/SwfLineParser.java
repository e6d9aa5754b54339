package io.sheaf.formats.swf;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Parses one line of an SWF log from its bytes, without garbage for the usual line of whole numbers.
 *
 * <p>Fields are separated by any run of blanks, tabs and carriage returns, and the first may be preceded by some. A number may
 * have a sign, a fraction and an exponent.
 */
final class SwfLineParser {
    private static final int MAX_DIGITS = 15;
    private static final int LONGEST_NUMBER = 40;
    private static final SwfField[] FIELDS = SwfField.values();

    /** The values of the last line parsed. */
    final long[] values = new long[SwfField.COUNT];

    private byte[] text = new byte[0];
    private @Nullable String problem;
    private int problemAt;

    /** Parses {@code bytes[from, to)}; true if it is a good line. */
    boolean parse(byte[] bytes, int from, int to) {
        text = bytes;
        problem = null;
        int at = from;
        for (int f = 0; f < SwfField.COUNT; f++) {
            at = skipBlanks(at, to);
            if (at == to) {
                problem = "the line has " + f + " fields, SWF has " + SwfField.COUNT;
                problemAt = 0;
                return false;
            }
            int end = at;
            while (end < to && !blank(bytes[end])) {
                end++;
            }
            values[f] = number(FIELDS[f], at, end);
            if (problem != null) {
                problemAt = at - from + 1;
                return false;
            }
            at = end;
        }
        return true;
    }

    /** The problem of the last invalid line and its column, from 1; 0 for the whole line. */
    String problem() {
        return problem == null ? "" : problem;
    }

    int problemAt() {
        return problemAt;
    }

    static boolean blank(byte b) {
        return b == ' ' || b == '\t' || b == '\r';
    }

    private int skipBlanks(int at, int to) {
        int i = at;
        while (i < to && blank(text[i])) {
            i++;
        }
        return i;
    }

    private long number(SwfField field, int from, int to) {
        int at = from;
        boolean negative = text[at] == '-';
        if (negative || text[at] == '+') {
            at++;
        }
        if (at == to || to - at > MAX_DIGITS) {
            return slowNumber(field, from, to);
        }
        long whole = 0;
        for (; at < to; at++) {
            int digit = text[at] - '0';
            if (digit < 0 || digit > 9) {
                return slowNumber(field, from, to);
            }
            whole = whole * 10 + digit;
        }
        return column(field, negative ? -whole : whole, 0);
    }

    /** Anything but plain digits: a fraction, an exponent, or no number at all. */
    private long slowNumber(SwfField field, int from, int to) {
        String token = new String(text, from, Math.min(to - from, LONGEST_NUMBER), StandardCharsets.ISO_8859_1);
        if (to - from > LONGEST_NUMBER) {
            problem = field.title() + " '" + printable(token) + "…' is too long for a number";
            return 0;
        }
        BigDecimal value;
        try {
            value = new BigDecimal(token);
        } catch (NumberFormatException e) {
            problem = field.title() + " '" + printable(token) + "' is not a number";
            return 0;
        }
        // The exponent is bounded before anything expands it: 1e999999999 must not fill the memory.
        if (value.signum() != 0 && (value.precision() - value.scale() > MAX_DIGITS || value.scale() > 1000)) {
            problem = field.title() + " '" + printable(token) + "' is out of range";
            return 0;
        }
        BigDecimal thousandths =
                value.signum() == 0 ? BigDecimal.ZERO : value.movePointRight(3).setScale(0, RoundingMode.HALF_UP);
        long all = thousandths.longValueExact();
        boolean whole = value.signum() == 0 || value.stripTrailingZeros().scale() <= 0;
        if (field.kind() == SwfField.Kind.COUNT && !whole) {
            problem = field.title() + " '" + printable(token) + "' is not a whole number";
            return 0;
        }
        return column(field, all / 1000, all % 1000);
    }

    private long column(SwfField field, long whole, long thousandths) {
        switch (field.kind()) {
            case TIME:
                // -1 is "unknown", not a second before the log began.
                return whole == -1 && thousandths == 0 ? SwfLog.UNKNOWN : whole * 1000 + thousandths;
            case MEMORY:
                return thousandths >= 500 ? whole + 1 : whole;
            case COUNT:
            default:
                if (whole != (int) whole) {
                    problem = field.title() + " " + whole + " is out of range";
                }
                return whole;
        }
    }

    private static String printable(String token) {
        return token.replaceAll("[^\\x21-\\x7e]", "?");
    }
}
