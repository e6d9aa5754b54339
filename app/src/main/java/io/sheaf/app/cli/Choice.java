package io.sheaf.app.cli;

import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Options with a few possible values: a wrong one is bad input, and the nearest right one is named. */
public final class Choice {
    private Choice() {}

    /** How a constant is written on the command line. */
    public static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The constant of this name in small letters. */
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
