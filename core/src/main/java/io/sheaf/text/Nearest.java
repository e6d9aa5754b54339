package io.sheaf.text;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Suggests corrections of misspelt words. */
public final class Nearest {
    private static final int MAX_CANDIDATES = 10_000;
    private static final int LONGEST_WORD = 80;

    private Nearest() {}

    /** The candidate fewest edits away (insert, delete, replace, swap), or null if none is near. */
    public static @Nullable String to(String word, Collection<String> candidates) {
        if (word.length() > LONGEST_WORD || candidates.size() > MAX_CANDIDATES) {
            return null;
        }
        String lowerCase = word.toLowerCase(Locale.ROOT);
        String best = null;
        int fewest = Math.max(1, word.length() / 3) + 1;
        for (String candidate : candidates) {
            if (Math.abs(candidate.length() - word.length()) < fewest) {
                int edits = edits(lowerCase, candidate.toLowerCase(Locale.ROOT));
                if (edits < fewest) {
                    fewest = edits;
                    best = candidate;
                }
            }
        }
        return best;
    }

    /** {@code " Did you mean 'x'?"}, or nothing. */
    public static String hint(String word, Collection<String> candidates) {
        String nearest = to(word, candidates);
        return nearest == null ? "" : " Did you mean '" + nearest + "'?";
    }

    private static int edits(String a, String b) {
        int[] before = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replace = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replace, Math.min(last[j], row[j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    row[j] = Math.min(row[j], before[j - 2] + 1);
                }
            }
            int[] spare = before;
            before = last;
            last = row;
            row = spare;
        }
        return last[b.length()];
    }
}
