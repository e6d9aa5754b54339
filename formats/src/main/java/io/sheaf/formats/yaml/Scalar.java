package io.sheaf.formats.yaml;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes texts as YAML scalars that every YAML reader reads as the same text, with minimal quoting. */
final class Scalar {
    private static final String PLAIN_INSIDE = " _-./+=@%^~$()<>|&;!?*'\"\\:#{}[],";
    private static final String PLAIN_FIRST = "_./$(+~^\\;";
    private static final Set<String> WORDS =
            Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "<<", "=");
    private static final String NUMBERS = "0123456789abcdefxo_.:+-";

    /** YAML requires a question mark before keys of more than 1,024 characters; shorter ones get it when unreadable. */
    private static final int LONGEST_KEY = 120;

    private Scalar() {}

    /** For a value on a line of its own. */
    static String text(String text) {
        return isPlain(text, PLAIN_INSIDE) ? text : quoted(text);
    }

    /** For a key with its colon. */
    static String key(String text) {
        String key = text(text);
        return key.length() <= LONGEST_KEY ? key + ":" : "? " + key + "\n:";
    }

    /** For a value between brackets or braces, where these and commas have a meaning. */
    static String inBrackets(String text) {
        return isPlain(text, PLAIN_INSIDE.substring(0, PLAIN_INSIDE.indexOf('{'))) ? text : quoted(text);
    }

    private static boolean isPlain(String text, String inside) {
        if (text.isEmpty() || !isKnown(text.charAt(0), PLAIN_FIRST) || text.endsWith(" ") || hasMeaning(text)) {
            return false;
        }
        boolean holdsComment = text.contains(" #");
        boolean holdsKey = text.endsWith(":") || text.contains(": ");
        return !holdsComment && !holdsKey && text.chars().allMatch(c -> isKnown(c, inside));
    }

    private static boolean isKnown(int c, String marks) {
        return Character.isLetterOrDigit(c) || marks.indexOf(c) >= 0;
    }

    /** Whether some reader of YAML takes this for a number, a time, a boolean or nothing. */
    private static boolean hasMeaning(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (WORDS.contains(lower) || lower.endsWith(".inf") || lower.endsWith(".nan")) {
            return true;
        }
        return "0123456789+-.".indexOf(text.charAt(0)) >= 0 && lower.chars().allMatch(c -> NUMBERS.indexOf(c) >= 0);
    }

    private static String quoted(String text) {
        boolean simple = text.chars().allMatch(Scalar::isAscii);
        boolean needsEscape = text.indexOf('"') >= 0 || text.indexOf('\\') >= 0;
        if (simple && needsEscape && text.indexOf('\'') < 0) {
            return "'" + text + "'";
        }
        return text.chars().mapToObj(Scalar::escaped).collect(Collectors.joining("", "\"", "\""));
    }

    private static String escaped(int c) {
        return switch (c) {
            case '"' -> "\\\"";
            case '\\' -> "\\\\";
            case '\n' -> "\\n";
            case '\t' -> "\\t";
            default -> isVisible(c) ? Character.toString(c) : "\\u" + String.format(Locale.ROOT, "%04X", c);
        };
    }

    private static boolean isVisible(int c) {
        return isAscii(c) || Character.isLetterOrDigit(c);
    }

    private static boolean isAscii(int c) {
        return c >= ' ' && c <= '~';
    }

    /**
     * A text of several lines as a block after {@code |}, the first line being that mark; a text for which a block would not be exact
     * is quoted.
     */
    static String block(String text) {
        if (text.indexOf('\n') < 0 || !fitsBlock(text)) {
            return text(text);
        }
        String chomp = text.endsWith("\n\n") ? "+" : text.endsWith("\n") ? "" : "-";
        return "|" + chomp + "\n" + (text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
    }

    private static boolean fitsBlock(String text) {
        char first = text.charAt(0);
        if (first == ' ' || first == '\t' || first == '\n') {
            return false;
        }
        // Not all readers preserve lines of blanks.
        boolean blanksOnly = text.lines().anyMatch(line -> !line.isEmpty() && line.isBlank());
        return !blanksOnly && text.chars().allMatch(c -> c == '\n' || c == '\t' || isVisible(c));
    }

    /** A list in brackets if it is short, else a line for each item. Items are YAML already. */
    static String list(List<String> items) {
        int length = items.stream().mapToInt(item -> item.length() + 2).sum();
        return length <= 90 ? "[" + String.join(", ", items) + "]" : "\n- " + String.join("\n- ", items);
    }
}
