package io.sheaf.formats.dagman;

import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a DAG file or a submit file: comments and empty lines left out, continued lines joined.
 *
 * <p>A line that ends in a backslash goes on in the next one. A comment has {@code #} as its first character and is never continued; one
 * between two parts of a continued line is left out.
 */
final class Lines {
    private static final int LONGEST = 64 << 20;

    private final Reader in;
    private final char[] buffer = new char[1 << 14];
    private int at;
    private int filled;
    private long number;
    private long place = Place.of(1, 1);

    Lines(InputStream in) {
        this.in = new InputStreamReader(in, StandardCharsets.UTF_8);
    }

    /** Where the last line began. */
    long place() {
        return place;
    }

    /** The next line with its continuations, without blanks around it; null at the end. */
    @Nullable
    String next() throws IOException {
        String line = physical();
        while (line != null && isNothing(line)) {
            line = physical();
        }
        if (line == null) {
            return null;
        }
        place = Place.of(number, line.length() - line.stripLeading().length() + 1L);
        StringBuilder whole = new StringBuilder();
        while (line != null && line.stripTrailing().endsWith("\\")) {
            String part = line.strip();
            append(whole, part.substring(0, part.length() - 1));
            line = physical();
            while (line != null && line.stripLeading().startsWith("#")) {
                line = physical();
            }
        }
        append(whole, line == null ? "" : line.strip());
        return whole.toString().strip();
    }

    /** The next line as it stands, for texts that run over several lines; null at the end. */
    @Nullable
    String physical() throws IOException {
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

    /** Reads more text behind all that was used; tells whether there was any. */
    private boolean fill() throws IOException {
        filled = Math.max(0, in.read(buffer, 0, buffer.length));
        at = 0;
        return filled > 0;
    }

    private void append(StringBuilder whole, String part) {
        check(whole.length() + (long) part.length());
        whole.append(part);
    }

    private void check(long length) {
        if (length > LONGEST) {
            throw new InputException("a line is longer than " + LONGEST + " characters", Place.of(number, 1));
        }
    }

    private static boolean isNothing(String line) {
        String text = line.stripLeading();
        return text.isEmpty() || text.startsWith("#");
    }
}
