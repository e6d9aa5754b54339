package io.sheaf.formats.yaml;

/** Patterns for file names: {@code *} matches any characters, {@code ?} one. */
final class Wildcard {
    private Wildcard() {}

    /** Whether the whole text matches. Backtracks to the last star only, so the time is at most text × pattern. */
    static boolean fits(String pattern, String text) {
        int p = 0;
        int t = 0;
        int star = -1;
        int resume = 0;
        while (t < text.length()) {
            char expected = p < pattern.length() ? pattern.charAt(p) : 0;
            if (expected == '*' && p < pattern.length()) {
                star = p++;
                resume = t;
            } else if (p < pattern.length() && (expected == '?' || expected == text.charAt(t))) {
                p++;
                t++;
            } else if (star >= 0) {
                p = star + 1;
                t = ++resume;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }

    /** Whether some text matches both patterns. */
    static boolean overlap(String one, String other) {
        boolean[] row = new boolean[other.length() + 1];
        row[other.length()] = true;
        for (int j = other.length() - 1; j >= 0; j--) {
            row[j] = row[j + 1] && other.charAt(j) == '*';
        }
        for (int i = one.length() - 1; i >= 0; i--) {
            boolean star = one.charAt(i) == '*';
            boolean[] above = row;
            row = new boolean[other.length() + 1];
            row[other.length()] = star && above[other.length()];
            for (int j = other.length() - 1; j >= 0; j--) {
                boolean either = star || other.charAt(j) == '*';
                row[j] =
                        either ? above[j] || row[j + 1] : above[j + 1] && sameCharacter(one.charAt(i), other.charAt(j));
            }
        }
        return row[0];
    }

    private static boolean sameCharacter(char a, char b) {
        return a == b || a == '?' || b == '?';
    }
}
