package io.sheaf.formats.makeflow;

import io.sheaf.formats.TextLines;
import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a Makeflow file.
 *
 * <p>A statement is a line, continued after a backslash and inside quotes. A comment runs from an unquoted {@code #} to the end of its
 * line.
 */
final class Statements {
    private final TextLines lines;
    private final StringBuilder text = new StringBuilder();
    private char quote;
    private long quotePlace;

    Statements(InputStream in) {
        lines = new TextLines(in);
    }

    /** The next statement; null behind the last one. */
    @Nullable
    Statement next() throws IOException {
        String line = lines.next();
        while (line != null) {
            long number = lines.number();
            text.setLength(0);
            boolean goesOn = add(line);
            while (goesOn) {
                line = lines.next();
                if (line == null) {
                    break;
                }
                text.append('\n');
                goesOn = add(line);
            }
            if (quote != 0) {
                throw new InputException("a quote " + quote + " is never closed; close it", quotePlace);
            }
            if (!text.toString().isBlank()) {
                return new Statement(text.toString(), number);
            }
            line = lines.next();
        }
        return null;
    }

    /** Adds a line up to its comment; returns whether the statement continues. */
    private boolean add(String line) {
        int at = 0;
        while (at < line.length() && (quote != 0 || line.charAt(at) != '#')) {
            char c = line.charAt(at);
            if (c == '\\') {
                at++;
            } else if (c == quote) {
                quote = 0;
            } else if (quote == 0 && (c == '\'' || c == '"')) {
                quote = c;
                quotePlace = Place.of(lines.number(), at + 1L);
            }
            at++;
        }
        // One past the end if a backslash was the last character.
        lines.check(text.length() + (long) at);
        text.append(line, 0, Math.min(at, line.length()));
        return at > line.length() || quote != 0;
    }
}
