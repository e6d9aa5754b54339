package io.sheaf.app.config;

import io.sheaf.text.InputException;
import io.sheaf.text.SizeText;
import io.sheaf.text.TimeText;
import java.util.List;
import java.util.Locale;

/**
 * A setting: {@code --name} on the command line, {@code SHEAF_NAME} in the environment, {@code name:} in a
 * configuration file.
 *
 * @param choices the possible values; empty if any
 * @param about its effect, and the reason for its default
 */
public record Setting(String name, Kind kind, String defaultValue, List<String> choices, String about) {
    /** The type of a value. */
    public enum Kind {
        SWITCH,
        WHOLE_NUMBER,
        /** A decimal number of at least 0. */
        AMOUNT,
        TIME,
        SIZE,
        CHOICE,
        TEXT
    }

    public String variable() {
        return "SHEAF_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /** Throws if the value is invalid for this setting. */
    void check(String value) {
        switch (kind) {
            case SWITCH -> among(value, List.of("true", "false"));
            case CHOICE -> among(value, choices);
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

    private void among(String value, List<String> allowed) {
        if (!allowed.contains(value)) {
            throw new InputException(name + ": '" + value + "' is not one of " + String.join(", ", allowed));
        }
    }
}
