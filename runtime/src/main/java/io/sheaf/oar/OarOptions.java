package io.sheaf.oar;

import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The options that Sheaf has for all batch systems, as {@code oarsub} calls them; what it calls so itself is passed on as it is. */
final class OarOptions {
    private static final Map<String, String> NAMES =
            Map.of("--account=", "--project=", "--partition=", "--queue=", "--constraint=", "--property=");

    private OarOptions() {}

    static List<String> words(List<String> options) {
        List<String> words = new ArrayList<>();
        for (String option : options) {
            int value = option.indexOf('=') + 1;
            String name = option.substring(0, value);
            if (name.equals("--qos=") || name.equals("--reservation=")) {
                throw new InputException("OAR has nothing like " + option.substring(0, value - 1)
                        + "; leave it out, and name a --partition (a queue of OAR) instead");
            }
            words.add(NAMES.getOrDefault(name, name) + option.substring(value));
        }
        return words;
    }
}
