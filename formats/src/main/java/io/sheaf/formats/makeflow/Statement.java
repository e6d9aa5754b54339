package io.sheaf.formats.makeflow;

import io.sheaf.text.Place;

/**
 * A logical line of a Makeflow file without comments; escapes, quotes and variables unexpanded.
 *
 * @param line the number of its first line
 */
record Statement(String text, long line) {
    long place(int offset) {
        long lines = 0;
        int start = 0;
        for (int i = 0; i < offset; i++) {
            if (text.charAt(i) == '\n') {
                lines++;
                start = i + 1;
            }
        }
        return Place.of(line + lines, offset - start + 1L);
    }

    /** The place of its first non-blank character. */
    long place() {
        int at = 0;
        while (at < text.length() && isBlank(at)) {
            at++;
        }
        return place(at);
    }

    /** Commands are indented. */
    boolean isCommand() {
        return isBlank(0);
    }

    private boolean isBlank(int at) {
        return text.charAt(at) == ' ' || text.charAt(at) == '\t';
    }

    /** The offset of an unquoted, unescaped character; −1 if there is none. */
    int find(char character) {
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
            } else if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == character) {
                return i;
            } else if (c == '\'' || c == '"') {
                quote = c;
            }
        }
        return -1;
    }
}
