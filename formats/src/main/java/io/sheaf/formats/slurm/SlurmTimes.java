package io.sheaf.formats.slurm;

import io.sheaf.text.InputException;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Slurm's ways of writing instants and durations. */
final class SlurmTimes {
    static final long UNKNOWN = -1;

    private static final Set<String> NO_INSTANT = Set.of("", "unknown", "none", "n/a", "invalid");
    private static final Set<String> NO_DURATION =
            Set.of("", "unknown", "none", "n/a", "invalid", "unlimited", "partition_limit", "infinite");

    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,12}");

    /** Characters of a date; a sign behind it begins an offset. */
    private static final int DATE = 10;

    private SlurmTimes() {}

    /**
     * Milliseconds since 1970 of {@code 2024-01-15T08:00:00} or {@code 2024-01-15 08:00:00} in the cluster's time zone, with its own offset as in
     * {@code 2024-01-15T08:00:00+0100}, or of seconds as with SLURM_TIME_FORMAT=%s; UNKNOWN if the job has none.
     */
    static long instant(String text, ZoneId zone) {
        String t = text.strip();
        if (NO_INSTANT.contains(t.toLowerCase(Locale.ROOT))) {
            return UNKNOWN;
        }
        if (digits(t)) {
            return Long.parseLong(t) * 1000;
        }
        try {
            int offset = Math.max(t.lastIndexOf('+'), t.endsWith("Z") ? t.length() - 1 : t.lastIndexOf('-'));
            boolean own = offset > DATE;
            LocalDateTime local = LocalDateTime.parse((own ? t.substring(0, offset) : t).replace(' ', 'T'));
            return local.atZone(own ? ZoneId.of(t.substring(offset)) : zone)
                    .toInstant()
                    .toEpochMilli();
        } catch (DateTimeException e) {
            throw new InputException("'" + text + "' is not a time");
        }
    }

    /** Milliseconds of {@code [D-]HH:MM:SS[.mmm]}, {@code D-HH[:MM]} or {@code MM:SS[.mmm]}; UNKNOWN without limit. */
    static long duration(String text) {
        String t = text.strip();
        if (NO_DURATION.contains(t.toLowerCase(Locale.ROOT))) {
            return UNKNOWN;
        }
        int dash = t.indexOf('-');
        String[] parts = t.substring(dash + 1).split(":", -1);
        boolean days = dash > 0;
        if (dash == 0 || parts.length > 3 || (!days && parts.length < 2)) {
            throw new InputException("'" + text + "' is not a duration like D-HH:MM:SS");
        }
        long whole = days ? number(t.substring(0, dash), text) * 86_400 : 0;
        long unit = days || parts.length == 3 ? 3600 : 60;
        for (int i = 0; i < parts.length - 1; i++) {
            whole += number(parts[i], text) * unit;
            unit /= 60;
        }
        return whole * 1000 + thousandths(parts[parts.length - 1], text) * unit;
    }

    /** Milliseconds of a number of seconds with an optional fraction, as in the Raw columns. */
    static long seconds(String text) {
        String t = text.strip();
        return NO_DURATION.contains(t.toLowerCase(Locale.ROOT)) ? UNKNOWN : thousandths(t, text);
    }

    private static long thousandths(String part, String whole) {
        int dot = part.indexOf('.');
        if (dot < 0) {
            return number(part, whole) * 1000;
        }
        String fraction = (part.substring(dot + 1) + "000").substring(0, 3);
        return number(part.substring(0, dot), whole) * 1000 + number(fraction, whole);
    }

    private static long number(String part, String whole) {
        if (!digits(part)) {
            throw new InputException("'" + whole + "' is not a duration");
        }
        return Long.parseLong(part);
    }

    /** Whether the text is a number of at most 12 digits: enough for any count of seconds, too few to overflow. */
    static boolean digits(String text) {
        return DIGITS.matcher(text).matches();
    }
}
