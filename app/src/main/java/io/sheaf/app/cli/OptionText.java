package io.sheaf.app.cli;

import io.sheaf.text.InputException;
import io.sheaf.text.SizeText;
import io.sheaf.text.TimeText;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Parses values of options; errors begin with the name of the option, or of the file. */
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

    public static Path path(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new InputException("invalid file name: " + e.getReason()).in(name);
        }
    }

    /** A size in bytes. */
    public static long bytes(String option, String text) {
        return InputException.in(option, () -> SizeText.bytes(text));
    }
}
