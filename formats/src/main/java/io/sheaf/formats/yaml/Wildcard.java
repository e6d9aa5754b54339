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
            char wanted = p < pattern.length() ? pattern.charAt(p) : 0;
            if (wanted == '*' && p < pattern.length()) {
                star = p++;
                resume = t;
            } else if (p < pattern.length() && (wanted == '?' || wanted == text.charAt(t))) {
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
}
