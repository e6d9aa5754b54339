package io.sheaf.formats.dagman;

import io.sheaf.formats.TextLines;
import io.sheaf.text.Place;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a DAG file or a submit file: comments and empty lines left out, continued lines joined.
 *
 * <p>A line that ends in a backslash goes on in the next one. A comment has {@code #} as its first character and is never continued; one
 * between two parts of a continued line is left out.
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

    /** The next line as it stands, for texts that run over several lines; null at the end. */
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
