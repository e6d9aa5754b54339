package io.sheaf.app.config;

import io.sheaf.formats.ShellWords;
import io.sheaf.formats.yaml.ConfigFile;
import io.sheaf.runtime.spec.Site;
import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings of a site in the configuration: {@code sites: {NAME: {on: SYSTEM, prefix: WORDS, …}}}.
 *
 * @param values the values of each key; several only of a list
 */
public record SiteSettings(String name, Map<String, List<String>> values) {
    static final String KEY = "sites";

    /** The terms of submissions, which are named like options of the command line. */
    public static final List<String> TERMS = List.of("account", "partition", "qos", "constraint", "reservation");

    private static final List<String> KEYS = List.of(
            ("on prefix user options nodes cores price folder copy fetch java address " + String.join(" ", TERMS))
                    .split(" ", -1));

    /** Adds an entry {@code sites.NAME.KEY} to its site. */
    static void add(Map<String, SiteSettings> sites, ConfigFile.ConfigEntry entry) {
        String[] names = entry.name().split("\\.", 3);
        if (names.length < 3) {
            throw new InputException("sites: write 'NAME: {on: slurm, prefix: ssh NAME}' for each");
        }
        if (!names[1].matches(Site.NAME)) {
            throw new InputException(
                    "site '" + names[1] + "': a name has letters, digits, _ and -, and begins with a letter");
        }
        if (!KEYS.contains(names[2])) {
            throw new InputException("site " + names[1] + ": unknown key '" + names[2] + "'."
                    + Nearest.hint(names[2], KEYS) + " Keys: " + String.join(", ", KEYS));
        }
        boolean whole = names[2].equals("nodes") || names[2].equals("cores");
        if ((whole && !entry.value().matches("[1-9][0-9]{0,5}"))
                || (names[2].equals("price") && !entry.value().matches("[0-9]{1,6}(\\.[0-9]{1,6})?"))) {
            throw new InputException("site " + names[1] + ": " + names[2] + " '" + entry.value()
                    + (whole ? "' is not a whole number of at least 1" : "' is not a price; write e.g. 1.5"));
        }
        sites.computeIfAbsent(names[1], name -> new SiteSettings(name, new LinkedHashMap<>()))
                .values
                .computeIfAbsent(names[2], key -> new ArrayList<>())
                .add(entry.value());
    }

    /** The value of a key; empty if it is not set. */
    public String value(String key) {
        return String.join(",", values.getOrDefault(key, List.of()));
    }

    /** The words of a key: the elements of a list, or those of a line of a shell. */
    public List<String> words(String key) {
        List<String> words = values.getOrDefault(key, List.of());
        return words.size() == 1 ? ShellWords.split(words.get(0)) : words;
    }
}
