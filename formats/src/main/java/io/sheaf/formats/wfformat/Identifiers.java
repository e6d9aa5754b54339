package io.sheaf.formats.wfformat;

import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Rewrites ids to the characters of the schema, injectively.
 *
 * <p>A forbidden character becomes {@code #} and four hexadecimal digits. So does {@code #} in a rewritten id, and ids that look rewritten
 * are rewritten. The true id is written beside it, so that reading needs no inverse.
 */
final class Identifiers {
    private static final String IN_TASKS = "_.A-Za-z0-9";
    /** No other id becomes this: a rewritten one never ends in #. */
    private static final String EMPTY = "#0000#";

    private static final Identifiers TASKS = new Identifiers(IN_TASKS);
    private static final Identifiers FILES = new Identifiers(IN_TASKS + "/:");

    /** What an id must not contain. */
    private final Pattern refused;

    private final Pattern replaced;

    private Identifiers(String allowed) {
        refused = Pattern.compile("[^#" + allowed + "-]|#[0-9a-f]{4}");
        replaced = Pattern.compile("[^" + allowed + "-]");
    }

    static String ofTask(String id) {
        return TASKS.rewritten(id);
    }

    static String ofFile(String name) {
        return name.isEmpty() ? EMPTY : FILES.rewritten(name);
    }

    private String rewritten(String id) {
        return !refused.matcher(id).find()
                ? id
                : replaced.matcher(id).replaceAll(match -> match.group()
                        .chars()
                        .mapToObj(c -> String.format(Locale.ROOT, "#%04x", c))
                        .collect(Collectors.joining()));
    }
}
