package io.sheaf.text;

import java.math.BigDecimal;

/**
 * Parses and formats numbers of cores: {@code 4}, or less than one, {@code 0.5}, in steps of a thousandth.
 *
 * <p>The unit is a thousandth of a core, so that sums are exact.
 */
public final class CoresText {
    /** A whole core in thousandths. */
    public static final int CORE = 1000;

    private static final int LONGEST_TEXT = 40;

    private CoresText() {}

    /** The cores in thousandths: a multiple of a whole core, or less than one. */
    public static long millicores(String text) {
        String trimmed = text.strip();
        try {
            // Digits and a point only: other decimal forms, such as 1e9, are no number of cores.
            if (trimmed.length() <= LONGEST_TEXT && trimmed.matches("[0-9]+([.][0-9]+)?")) {
                long millicores = new BigDecimal(trimmed).movePointRight(3).longValueExact();
                boolean whole = millicores % CORE == 0 && millicores / CORE <= Integer.MAX_VALUE;
                if (millicores > 0 && (whole || millicores < CORE)) {
                    return millicores;
                }
            }
        } catch (ArithmeticException e) {
            // Finer than a thousandth, or too many: reported below.
        }
        String shown = text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
        throw new InputException(
                "'" + shown
                        + "' is not a number of cores; write a whole number, or a fraction of one core in steps of 0.001, such as 0.5");
    }

    /** Thousandths of a core as a number without zeros at its end. */
    public static String text(long millicores) {
        return millicores % CORE == 0
                ? Long.toString(millicores / CORE)
                : BigDecimal.valueOf(millicores, 3).stripTrailingZeros().toPlainString();
    }
}
