package io.sheaf.app.config;

import io.sheaf.text.InputException;
import io.sheaf.text.SizeText;
import io.sheaf.text.TimeText;
import java.util.Locale;

/**
 * A setting: {@code --name} on the command line, {@code SHEAF_NAME} in the environment, {@code name:} in a
 * configuration file.
 *
 * @param about its effect, and the reason for its default
 */
public record Setting(String name, Kind kind, String defaultValue, String about) {
    /** The type of a value. */
    public enum Kind {
        SWITCH,
        WHOLE_NUMBER,
        /** A decimal number of at least 0. */
        AMOUNT,
        TIME,
        SIZE,
        TEXT
    }

    public String variable() {
        return "SHEAF_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /** Throws if the value is invalid for this setting. */
    void check(String value) {
        switch (kind) {
            case SWITCH -> {
                if (!value.equals("true") && !value.equals("false")) {
                    throw new InputException(name + ": '" + value + "' is not one of true, false");
                }
            }
            case TIME -> TimeText.micros(value);
            case SIZE -> SizeText.bytes(value);
            case WHOLE_NUMBER -> {
                try {
                    Long.parseLong(value);
                } catch (NumberFormatException e) {
                    throw new InputException(name + ": '" + value + "' is not a whole number");
                }
            }
            case AMOUNT -> {
                if (!value.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
                    throw new InputException(name + ": '" + value + "' is not a number of at least 0");
                }
            }
            case TEXT -> {}
        }
    }
}
