package io.sheaf.text;

import java.util.Locale;

/** Formats counts, times and shares for display, with three digits and a unit. */
public final class Rounded {
    private static final double SECOND = 1000;
    private static final double MINUTE = 60 * SECOND;
    private static final double HOUR = 60 * MINUTE;
    private static final double DAY = 24 * HOUR;
    /** Longer times are shown in days: {@code 95.2 h} is still in hours. */
    private static final double MAX_HOURS = 4 * DAY;

    private Rounded() {}

    /** {@code 28,476}. */
    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** A time in milliseconds: {@code 12.3 d}, {@code 15.7 h}, {@code 4.2 s}, {@code 0 s}. */
    public static String time(long millis) {
        if (millis >= MAX_HOURS) {
            return DecimalText.fixed(millis / DAY, 1) + " d";
        }
        if (millis >= HOUR) {
            return DecimalText.fixed(millis / HOUR, 1) + " h";
        }
        if (millis >= MINUTE) {
            return DecimalText.fixed(millis / MINUTE, 1) + " min";
        }
        return millis == 0 ? "0 s" : DecimalText.fixed(millis / SECOND, 1) + " s";
    }

    /** Half of the last digit of a time in seconds, in milliseconds. */
    private static final long SHOWN = 50;

    /** A deviation from an expected time, in milliseconds: {@code 4.2 s later}, {@code 1.0 h earlier}. */
    public static String later(long millis) {
        return sign(millis) == 0 ? "as expected" : time(Math.abs(millis)) + (millis > 0 ? " later" : " earlier");
    }

    /** The sign of a deviation in milliseconds as it is printed: 0 if {@link #later} rounds it to none. */
    public static int sign(long millis) {
        return Math.abs(millis) < SHOWN ? 0 : Long.signum(millis);
    }

    /** Node-milliseconds as node-hours: {@code 15.7}, or {@code 0.0123} if one decimal is too coarse. */
    public static String hours(long nodeMillis) {
        double hours = nodeMillis / HOUR;
        return DecimalText.fixed(hours, hours >= 0.1 || nodeMillis == 0 ? 1 : 4);
    }

    /** {@code 70.4 %}. */
    public static String percent(double share) {
        return DecimalText.fixed(100 * share, 1) + " %";
    }
}
