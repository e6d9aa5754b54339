package io.sheaf.runtime.batch;

import java.util.regex.Pattern;

/** Quotes a word for a shell. */
public final class ShellWord {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private ShellWord() {}

    public static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
