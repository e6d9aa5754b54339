package io.sheaf.formats.wfformat;

/**
 * Rewrites ids to the characters of the schema, injectively.
 *
 * <p>A forbidden character becomes {@code #} and four hexadecimal digits. So does {@code #} in a rewritten id, and ids that look rewritten
 * are rewritten. The true id is written beside it, so that reading needs no inverse.
 */
final class Identifiers {
    private static final String IN_TASKS = "-_.#";
    private static final String IN_FILES = "-_.#/:";
    private static final String HEX = "0123456789abcdef";
    /** No other id becomes this: a rewritten one never ends in #. */
    private static final String EMPTY = "#0000#";

    private Identifiers() {}

    static String ofTask(String id) {
        return rewritten(id, IN_TASKS);
    }

    static String ofFile(String name) {
        return name.isEmpty() ? EMPTY : rewritten(name, IN_FILES);
    }

    private static String rewritten(String id, String marks) {
        boolean fits = true;
        for (int i = 0; i < id.length() && fits; i++) {
            fits = isAllowed(id.charAt(i), marks) && !looksRewritten(id, i);
        }
        if (fits) {
            return id;
        }
        StringBuilder out = new StringBuilder(id.length() + 16);
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            if (c != '#' && isAllowed(c, marks)) {
                out.append(c);
            } else {
                out.append('#');
                for (int shift = 12; shift >= 0; shift -= 4) {
                    out.append(HEX.charAt(c >> shift & 15));
                }
            }
        }
        return out.toString();
    }

    private static boolean looksRewritten(String id, int at) {
        if (id.charAt(at) != '#' || at + 4 >= id.length()) {
            return false;
        }
        for (int i = at + 1; i <= at + 4; i++) {
            if (HEX.indexOf(id.charAt(i)) < 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAllowed(char c, String marks) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || marks.indexOf(c) >= 0;
    }
}
