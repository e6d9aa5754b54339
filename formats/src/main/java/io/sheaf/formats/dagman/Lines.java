package io.sheaf.formats.dagman;

import io.sheaf.formats.TextLines;
import io.sheaf.text.Place;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The logical lines of a DAG or submit file: without comments and empty lines, continued lines joined.
 *
 * <p>A trailing backslash continues a line. A comment starts with {@code #} in the first column and is never continued; within a continued
 * line it is skipped.
 */
final class Lines {
    private final TextLines lines;
    private long place = Place.of(1, 1);

    Lines(InputStream in) {
        lines = new TextLines(in);
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
        place = Place.of(lines.number(), line.length() - line.stripLeading().length() + 1L);
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

    /** The next physical line, for multi-line texts; null at the end. */
    @Nullable
    String physical() throws IOException {
        return lines.next();
    }

    private void append(StringBuilder whole, String part) {
        lines.check(whole.length() + (long) part.length());
        whole.append(part);
    }

    private static boolean isNothing(String line) {
        String text = line.stripLeading();
        return text.isEmpty() || text.startsWith("#");
    }
}
