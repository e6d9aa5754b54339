package io.sheaf.text;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * Parses and formats amounts of memory and data.
 *
 * <p>Input: {@code 10G}, {@code 512M}, {@code 1.5T}, {@code 4GiB}, {@code 100MB}, a bare number of bytes. As in Slurm, K, M, G, T and P are powers of
 * 1024, also with {@code iB} or {@code B}. Output: the largest unit that is exact.
 */
public final class SizeText {
    private static final String UNITS = "kmgtp";
    private static final int LONGEST_TEXT = 40;

    private SizeText() {}

    public static long bytes(String text) {
        String trimmed = text.strip().toLowerCase(Locale.ROOT);
        int end = 0;
        while (end < trimmed.length() && (Character.isDigit(trimmed.charAt(end)) || trimmed.charAt(end) == '.')) {
            end++;
        }
        if (end == 0 || trimmed.length() > LONGEST_TEXT) {
            throw bad(text);
        }
        try {
            return new BigDecimal(trimmed.substring(0, end))
                    .multiply(BigDecimal.valueOf(unit(trimmed.substring(end).strip())))
                    .setScale(0, RoundingMode.CEILING)
                    .longValueExact();
        } catch (ArithmeticException e) {
            throw new InputException("'" + text + "' is too large a size; the largest is just below 8192P");
        } catch (NumberFormatException e) {
            throw bad(text);
        }
    }

    /** The amount in the largest unit that divides it: {@code 10G}, {@code 1536M}, {@code 1001}. */
    public static String text(long bytes) {
        long rest = bytes;
        int unit = -1;
        while (rest != 0 && rest % 1024 == 0 && unit < UNITS.length() - 1) {
            rest /= 1024;
            unit++;
        }
        return unit < 0
                ? Long.toString(bytes)
                : rest + UNITS.substring(unit, unit + 1).toUpperCase(Locale.ROOT);
    }

    /** For messages: exact where that is short, otherwise rounded down to MiB. */
    public static String rounded(long bytes) {
        String exact = text(bytes);
        return exact.length() <= 6 ? exact : (bytes >> 20) + "M";
    }

    private static long unit(String name) {
        if (name.isEmpty() || name.equals("b")) {
            return 1;
        }
        int power = UNITS.indexOf(name.charAt(0));
        String rest = name.substring(1);
        if (power < 0 || !(rest.isEmpty() || rest.equals("b") || rest.equals("ib"))) {
            throw new NumberFormatException();
        }
        return 1L << (10 * (power + 1));
    }

    private static InputException bad(String text) {
        String shown = text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
        return new InputException("'" + shown + "' is not a size; write 512M, 10G, 1.5T or a number of bytes");
    }
}
