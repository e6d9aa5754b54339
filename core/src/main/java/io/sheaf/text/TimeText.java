package io.sheaf.text;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * Parses and formats durations.
 *
 * <p>Input: {@code 90s}, {@code 30m}, {@code 2h}, {@code 1d}, {@code 1w}, {@code 250ms}, sums of these ({@code 1h30m}, {@code 1d 12h}), decimals
 * ({@code 1.5h}), and a bare number of seconds. Clock forms are {@code 30:00} (minutes and seconds), {@code 1:30:00} and {@code 1-12:00:00}; also
 * {@code 1-12} and {@code 1-12:30}, as in Slurm. Output: the shortest exact sum of units.
 */
public final class TimeText {
    public static final long SECOND = 1_000_000;
    public static final long MINUTE = 60 * SECOND;
    public static final long HOUR = 60 * MINUTE;
    public static final long DAY = 24 * HOUR;
    public static final long WEEK = 7 * DAY;

    /** The maximum, ten thousand years: sums of many such times still fit a long. */
    public static final long LONGEST = 3_652_425 * DAY;

    private static final int LONGEST_TEXT = 64;
    private static final String ADVICE = " is not a time; write 90s, 30m, 2h, 1d, 1:30:00 or 1-12:00:00";

    private TimeText() {}

    /** The time in microseconds. */
    public static long micros(String text) {
        String trimmed = text.strip().toLowerCase(Locale.ROOT);
        if (trimmed.isEmpty() || trimmed.equals("-") || trimmed.length() > LONGEST_TEXT) {
            throw bad(text);
        }
        boolean negative = trimmed.charAt(0) == '-';
        try {
            long micros = unsigned(negative ? trimmed.substring(1) : trimmed);
            if (negative) {
                throw new InputException("'" + text + "' is negative; a time is 0 or more");
            }
            if (micros > LONGEST) {
                throw tooLong(text);
            }
            return micros;
        } catch (ArithmeticException e) {
            throw negative ? bad(text) : tooLong(text);
        } catch (NumberFormatException e) {
            throw bad(text);
        }
    }

    /** Throws ArithmeticException for numbers that do not fit, NumberFormatException for anything that is not a time. */
    private static long unsigned(String text) {
        return text.indexOf(':') >= 0 || text.indexOf('-') >= 0 ? clock(text) : sum(text);
    }

    /** The time in milliseconds, rounded up. */
    public static long millis(String text) {
        return (micros(text) + 999) / 1_000;
    }

    /** Whole minutes of some milliseconds, rounded up. */
    public static long wholeMinutes(long millis) {
        return (millis + 59_999) / 60_000;
    }

    /** A decimal number of seconds as microseconds, rounded half up; negative numbers stay negative. */
    public static long microsOfSeconds(BigDecimal seconds) {
        // Checks the number of digits first: 1e999999999 must not be expanded.
        if (seconds.precision() - (long) seconds.scale() > 18
                || seconds.abs().compareTo(BigDecimal.valueOf(LONGEST / SECOND)) > 0) {
            throw new InputException(brief(seconds.toString()) + " seconds is too long a time");
        }
        return seconds.scale() > 1_000
                ? 0
                : seconds.movePointRight(6).setScale(0, RoundingMode.HALF_UP).longValue();
    }

    /** A decimal number of seconds, exactly, without trailing zeros: {@code 9450.9}. */
    public static String seconds(long micros) {
        long whole = Math.abs(micros) / SECOND;
        long rest = Math.abs(micros) % SECOND;
        StringBuilder out = new StringBuilder();
        if (micros < 0) {
            out.append('-');
        }
        out.append(whole);
        if (rest != 0) {
            String digits = Long.toString(SECOND + rest).substring(1);
            int end = digits.length();
            while (digits.charAt(end - 1) == '0') {
                end--;
            }
            out.append('.').append(digits, 0, end);
        }
        return out.toString();
    }

    /** The time as a sum of units that {@link #micros} reads back exactly: {@code 1h30m}, {@code 90.5s}. */
    public static String text(long micros) {
        if (micros < MINUTE || micros % SECOND != 0) {
            return seconds(micros) + "s";
        }
        StringBuilder out = new StringBuilder();
        long rest = append(out, micros, DAY, "d");
        rest = append(out, rest, HOUR, "h");
        rest = append(out, rest, MINUTE, "m");
        append(out, rest, SECOND, "s");
        return out.toString();
    }

    private static long append(StringBuilder out, long rest, long unit, String name) {
        if (rest / unit > 0) {
            out.append(rest / unit).append(name);
        }
        return rest % unit;
    }

    private static long sum(String text) {
        long total = 0;
        int at = 0;
        while (at < text.length()) {
            int number = at;
            while (at < text.length() && (isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
                at++;
            }
            int digits = at;
            at = afterBlanks(text, at);
            int unit = at;
            while (at < text.length() && Character.isLetter(text.charAt(at))) {
                at++;
            }
            if (digits == number) {
                throw new NumberFormatException();
            }
            BigDecimal count = new BigDecimal(text.substring(number, digits));
            long size = unit(text.substring(unit, at));
            total = Math.addExact(
                    total,
                    count.multiply(BigDecimal.valueOf(size))
                            .setScale(0, RoundingMode.HALF_UP)
                            .longValueExact());
            at = afterBlanks(text, at);
        }
        return total;
    }

    private static int afterBlanks(String text, int at) {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
        return at;
    }

    private static long unit(String name) {
        return switch (name) {
            case "us" -> 1;
            case "ms" -> 1_000;
            case "", "s", "sec", "second", "seconds" -> SECOND;
            case "m", "min", "minute", "minutes" -> MINUTE;
            case "h", "hour", "hours" -> HOUR;
            case "d", "day", "days" -> DAY;
            case "w", "week", "weeks" -> WEEK;
            default -> throw new NumberFormatException();
        };
    }

    private static long clock(String text) {
        int dash = text.indexOf('-');
        long days = dash < 0 ? 0 : number(text.substring(0, dash));
        String[] parts = text.substring(dash + 1).split(":", -1);
        if (parts.length > 3) {
            throw new NumberFormatException();
        }
        // With days the first part counts hours; without them two parts are minutes and seconds.
        long[] units = dash >= 0 || parts.length == 3 ? new long[] {HOUR, MINUTE, SECOND} : new long[] {MINUTE, SECOND};
        long total = Math.multiplyExact(days, DAY);
        for (int i = 0; i < parts.length; i++) {
            total = Math.addExact(total, Math.multiplyExact(number(parts[i]), units[i]));
        }
        return total;
    }

    private static long number(String digits) {
        for (int i = 0; i < digits.length(); i++) {
            if (!isDigit(digits.charAt(i))) {
                throw new NumberFormatException();
            }
        }
        if (digits.length() > 18) {
            throw new ArithmeticException();
        }
        return Long.parseLong(digits);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static InputException bad(String text) {
        return new InputException("'" + brief(text) + "'" + ADVICE);
    }

    private static InputException tooLong(String text) {
        return new InputException("'" + text + "' is too long a time; the longest is 10,000 years");
    }

    private static String brief(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
    }
}
