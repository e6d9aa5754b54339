package io.sheaf.formats.yaml;

import java.util.List;
import java.util.Locale;
import java.util.Set;

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
        if (text.isEmpty() || !isFirst(text.charAt(0)) || text.charAt(text.length() - 1) == ' ' || hasMeaning(text)) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean known = Character.isLetterOrDigit(c) || inside.indexOf(c) >= 0;
            if (!known || Character.isSurrogate(c) || isComment(text, i) || isColon(text, i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether what follows would be a comment. */
    private static boolean isComment(String text, int at) {
        return text.charAt(at) == '#' && at > 0 && text.charAt(at - 1) == ' ';
    }

    /** Whether what comes before would be a key. */
    private static boolean isColon(String text, int at) {
        return text.charAt(at) == ':' && (at + 1 == text.length() || text.charAt(at + 1) == ' ');
    }

    private static boolean isFirst(char c) {
        return Character.isLetterOrDigit(c) || PLAIN_FIRST.indexOf(c) >= 0;
    }

    /** Whether some reader of YAML takes this for a number, a time, a boolean or nothing. */
    private static boolean hasMeaning(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (WORDS.contains(lower) || lower.endsWith(".inf") || lower.endsWith(".nan")) {
            return true;
        }
        char first = text.charAt(0);
        if ("0123456789+-.".indexOf(first) < 0) {
            return false;
        }
        for (int i = 0; i < lower.length(); i++) {
            if (NUMBERS.indexOf(lower.charAt(i)) < 0) {
                return false;
            }
        }
        return true;
    }

    private static String quoted(String text) {
        boolean simple = text.chars().allMatch(Scalar::isAscii);
        boolean needsEscape = text.indexOf('"') >= 0 || text.indexOf('\\') >= 0;
        if (simple && needsEscape && text.indexOf('\'') < 0) {
            return "'" + text + "'";
        }
        StringBuilder out = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                default -> {
                    if (isVisible(c)) {
                        out.append(c);
                    } else {
                        out.append("\\u").append(String.format(Locale.ROOT, "%04X", (int) c));
                    }
                }
            }
        }
        return out.append('"').toString();
    }

    private static boolean isVisible(char c) {
        return isAscii(c) || (Character.isLetterOrDigit(c) && !Character.isSurrogate(c));
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
        return !blanksOnly && text.chars().allMatch(c -> c == '\n' || c == '\t' || isVisible((char) c));
    }

    /** A list in brackets if it is short, else a line for each item. Items are YAML already. */
    static String list(List<String> items) {
        int length = 0;
        for (String item : items) {
            length += item.length() + 2;
        }
        return length <= 90 ? "[" + String.join(", ", items) + "]" : "\n- " + String.join("\n- ", items);
    }
}
