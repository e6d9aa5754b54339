package io.sheaf.formats.yaml;

import java.util.List;

/** Writes file names so that a shell takes each for one word. */
final class ShellWords {
    private static final String SAFE = "_-./:=@%+,";

    private ShellWords() {}

    static String join(List<String> words) {
        if (words.size() == 1) {
            return word(words.get(0));
        }
        StringBuilder out = new StringBuilder();
        for (String word : words) {
            out.append(out.isEmpty() ? "" : " ").append(word(word));
        }
        return out.toString();
    }

    static String word(String word) {
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            boolean ascii = c < 128;
            if (!(ascii && Character.isLetterOrDigit(c)) && SAFE.indexOf(c) < 0) {
                return "'" + word.replace("'", "'\\''") + "'";
            }
        }
        return word;
    }
}
