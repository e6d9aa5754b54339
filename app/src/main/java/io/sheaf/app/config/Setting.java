package io.sheaf.app.config;

import io.sheaf.text.InputException;
import io.sheaf.text.SizeText;
import io.sheaf.text.TimeText;
import java.util.List;
import java.util.Locale;

/**
 * Something that can be set: on the command line as {@code --name}, in the environment as {@code SHEAF_NAME}, in a configuration file as
 * {@code name:}.
 *
 * @param choices the values it may have, where they are few
 * @param about what it does, and why its default is what it is
 */
public record Setting(String name, Kind kind, String defaultValue, List<String> choices, String about) {
    /** What a value must look like. */
    public enum Kind {
        SWITCH,
        WHOLE_NUMBER,
        TIME,
        SIZE,
        CHOICE,
        TEXT
    }

    /** The environment variable of this setting. */
    public String variable() {
        return "SHEAF_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /** Refuses a value that this setting cannot have. */
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
            case TEXT -> {}
        }
    }

    private void among(String value, List<String> allowed) {
        if (!allowed.contains(value)) {
            throw new InputException(name + ": '" + value + "' is not one of " + String.join(", ", allowed));
        }
    }
}
