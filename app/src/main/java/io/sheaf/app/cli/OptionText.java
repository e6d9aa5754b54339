package io.sheaf.app.cli;

import io.sheaf.text.InputException;
import io.sheaf.text.SizeText;
import io.sheaf.text.TimeText;

/** Parses times and sizes of options; errors begin with the name of the option. */
public final class OptionText {
    private OptionText() {}

    /** A time in milliseconds. */
    public static long millis(String option, String text) {
        return InputException.in(option, () -> TimeText.millis(text));
    }

    /** A time in microseconds. */
    public static long micros(String option, String text) {
        return InputException.in(option, () -> TimeText.micros(text));
    }

    /** A size in bytes. */
    public static long bytes(String option, String text) {
        return InputException.in(option, () -> SizeText.bytes(text));
    }
}
