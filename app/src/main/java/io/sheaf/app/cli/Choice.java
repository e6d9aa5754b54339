package io.sheaf.app.cli;

import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Parses options with a few possible values; the error for an invalid value suggests the nearest valid one. */
public final class Choice {
    private Choice() {}

    /** The command-line spelling of a constant. */
    public static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The constant with this lower-case name. */
    public static <E extends Enum<E>> E of(String option, String text, Class<E> type) {
        E[] all = type.getEnumConstants();
        List<String> names = Arrays.stream(all).map(Choice::name).toList();
        int at = names.indexOf(text.toLowerCase(Locale.ROOT));
        if (at < 0) {
            throw unknown(option, text, names);
        }
        return all[at];
    }

    public static InputException unknown(String option, String text, List<String> names) {
        return new InputException(option + ": unknown value '" + text + "'." + Nearest.hint(text, names)
                + " Possible values: " + String.join(", ", names) + ".");
    }
}
