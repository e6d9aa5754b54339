package io.sheaf.formats;

import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Quoting of a POSIX shell: words split at blanks, single and double quotes, backslash.
 *
 * <p>Nothing is expanded: {@code $HOME} and {@code *} are unchanged. {@link #split} and every shell read the output of {@link #quote} as
 * the same words.
 */
public final class ShellWords {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=,+@%-]+");

    private ShellWords() {}

    /** The words of a command line. */
    public static List<String> split(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (isBlank(c)) {
                if (inWord) {
                    words.add(word.toString());
                    word.setLength(0);
                    inWord = false;
                }
                at++;
            } else {
                inWord = true;
                at = c == '\'' || c == '"' ? quoted(text, at, word) : plain(text, at, word);
            }
        }
        if (inWord) {
            words.add(word.toString());
        }
        return words;
    }

    private static int plain(String text, int at, StringBuilder word) {
        char c = text.charAt(at);
        if (c == '\\' && at + 1 < text.length()) {
            word.append(text.charAt(at + 1));
            return at + 2;
        }
        word.append(c);
        return at + 1;
    }

    /** Reads from an opening quote to behind the closing one. */
    private static int quoted(String text, int open, StringBuilder word) {
        char quote = text.charAt(open);
        int at = open + 1;
        while (at < text.length() && text.charAt(at) != quote) {
            char c = text.charAt(at);
            if (quote == '"' && c == '\\' && at + 1 < text.length() && "\\\"$`".indexOf(text.charAt(at + 1)) >= 0) {
                at++;
                c = text.charAt(at);
            }
            word.append(c);
            at++;
        }
        if (at == text.length()) {
            throw new InputException("a quote " + quote + " is never closed; close it");
        }
        return at + 1;
    }

    /** The word, quoted where a shell would otherwise see more in it. */
    public static String quote(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** All words, quoted and separated by blanks. */
    public static String join(List<String> words) {
        return words.stream().map(ShellWords::quote).collect(Collectors.joining(" "));
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r';
    }
}
