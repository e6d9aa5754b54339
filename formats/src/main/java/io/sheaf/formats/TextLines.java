package io.sheaf.formats;

import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the lines of a UTF-8 text, of bounded length; invalid bytes are errors with their place. */
public final class TextLines {
    private static final int LONGEST = 64 << 20;

    private final Reader in;
    private final char[] buffer = new char[1 << 14];
    private int at;
    private int filled;
    private long number;

    public TextLines(InputStream in) {
        this.in = new InputStreamReader(in, StandardCharsets.UTF_8);
    }

    /** The number of the last line, from 1. */
    public long number() {
        return number;
    }

    /** The next line without its end; null behind the last one. */
    public @Nullable String next() throws IOException {
        StringBuilder line = new StringBuilder();
        if (at == filled && !fill()) {
            return null;
        }
        number++;
        boolean ended;
        do {
            int end = at;
            while (end < filled && buffer[end] != '\n') {
                end++;
            }
            check(line.length() + (long) (end - at));
            line.append(buffer, at, end - at);
            ended = end < filled;
            at = ended ? end + 1 : end;
        } while (!ended && fill());
        if (number == 1 && line.length() > 0 && line.charAt(0) == '\ufeff') {
            // A byte order mark is no part of the text.
            line.deleteCharAt(0);
        }
        // What the decoder puts for bytes that are no UTF-8; only so is their place known.
        int bad = line.indexOf("\ufffd");
        if (bad >= 0) {
            throw new InputException("this is not UTF-8 text; convert it", Place.of(number, bad + 1L));
        }
        if (line.length() > 0 && line.charAt(line.length() - 1) == '\r') {
            line.setLength(line.length() - 1);
        }
        return line.toString();
    }

    /** Refuses a line of several that has become longer than one may be. */
    public void check(long length) {
        if (length > LONGEST) {
            throw new InputException("a line is longer than " + LONGEST + " characters", Place.of(number, 1));
        }
    }

    /** Reads the next part of the text; returns false at its end. */
    private boolean fill() throws IOException {
        filled = Math.max(0, in.read(buffer, 0, buffer.length));
        at = 0;
        return filled > 0;
    }

    /** The cells of a line of a table; quotes around a cell are removed, and two within it are one. */
    public static List<String> cells(String line, char separator) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"' && quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                cell.append(c);
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == separator && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }
}
