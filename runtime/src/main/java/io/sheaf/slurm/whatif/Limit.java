package io.sheaf.slurm.whatif;

import io.sheaf.batch.Submission;
import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import java.util.Locale;

/** Parses time limits and instants in Slurm's output. */
final class Limit {
    /** No limit. */
    static final long UNLIMITED = Submission.MAX_WALLTIME;

    /** The value is absent. */
    static final long UNKNOWN = -1;

    private Limit() {}

    /** Parses {@code 30:00}, {@code 1-12:00:00}, {@code UNLIMITED} etc. to milliseconds. */
    static long millis(String text) {
        return switch (text.toUpperCase(Locale.ROOT)) {
            case "UNLIMITED", "INFINITE", "PARTITION_LIMIT" -> UNLIMITED;
            case "", "N/A", "NONE", "NOT_SET", "(NULL)", "INVALID" -> UNKNOWN;
            default -> Math.min(UNLIMITED, TimeText.millis(text));
        };
    }

    /** Parses epoch seconds to an instant in milliseconds; {@link #UNKNOWN} if absent. */
    static long instant(String text) {
        return switch (text.toUpperCase(Locale.ROOT)) {
            case "", "N/A", "NONE", "UNKNOWN", "(NULL)", "0" -> UNKNOWN;
            default -> seconds(text) * 1000;
        };
    }

    private static long seconds(String text) {
        try {
            long seconds = Long.parseLong(text);
            if (seconds > 0 && seconds < Submission.MAX_WALLTIME / 1000) {
                return seconds;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new InputException("'" + text + "' is not a time in seconds since 1970");
    }
}
