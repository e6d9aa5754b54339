package io.sheaf.app.cli;

import io.sheaf.strategy.Strategies;
import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;

/**
 * Parses a list of strategies: {@code all}, or comma-separated names with parameters, such as
 * {@code glume,zhang:global=false,sizing=false}.
 */
public final class StrategyList {
    private StrategyList() {}

    /** The selected strategies without duplicates, in the given order. */
    public static List<String> of(String text) {
        List<String> all = new ArrayList<>();
        for (String piece : text.split(",", -1)) {
            String word = piece.strip();
            boolean isParameter = word.indexOf('=') >= 0 && word.indexOf(':') < 0;
            if (isParameter && !all.isEmpty()) {
                all.set(all.size() - 1, all.get(all.size() - 1) + "," + word);
            } else if (word.toLowerCase(Locale.ROOT).equals("all")) {
                all.addAll(Strategies.NAMES);
            } else if (word.isEmpty()) {
                throw new InputException(
                        "--strategies: '" + text + "' has an empty entry; use e.g. glume,zhang or all");
            } else {
                all.add(normal(word));
            }
        }
        return List.copyOf(new LinkedHashSet<>(all));
    }

    /** The normalized name of a strategy, in lower case. */
    public static String normal(String strategy) {
        int colon = strategy.indexOf(':');
        String name =
                (colon < 0 ? strategy : strategy.substring(0, colon)).strip().toLowerCase(Locale.ROOT);
        return colon < 0 ? name : name + strategy.substring(colon).strip();
    }
}
