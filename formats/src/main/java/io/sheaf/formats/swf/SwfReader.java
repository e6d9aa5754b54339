package io.sheaf.formats.swf;

import io.sheaf.formats.Source;
import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Reads SWF logs, plain or gzipped, in one pass.
 *
 * <p>An unreadable line is fatal for a {@link #strict} reader; a {@link #lenient} one reports and skips it. Comment lines after the first
 * job are part of the header.
 */
public final class SwfReader {
    private static final int BUFFER = 1 << 16;
    private static final int LONGEST_LINE = 1 << 20;
    private static final int MAX_COMMENT_BYTES = 16 << 20;
    private static final int BYTES_OF_A_JOB = 200;

    private final @Nullable Consumer<InputException> problems;

    private SwfReader(@Nullable Consumer<InputException> problems) {
        this.problems = problems;
    }

    /** A reader for which a malformed line is fatal. */
    public static SwfReader strict() {
        return new SwfReader(null);
    }

    /** A reader that reports a malformed line and skips it. */
    public static SwfReader lenient(Consumer<InputException> problems) {
        return new SwfReader(problems);
    }

    public SwfLog read(Source source) {
        Scan scan = new Scan(source.name());
        source.read(scan::run);
        if (scan.jobs.size() == 0 && scan.firstProblem != null) {
            throw new InputException("not an SWF log: none of its " + scan.malformed
                            + " lines has 18 numbers; the first: " + scan.firstProblem.problem())
                    .in(source.name());
        }
        return scan.jobs.malformed(scan.malformed).build(SwfHeader.ofLines(scan.comments));
    }

    /** One pass over one log. */
    private final class Scan {
        final String name;
        final SwfLog.Builder jobs = SwfLog.builder();

        /** Fewer than would fill the memory: the columns grow by copies. */
        final int max =
                (int) Math.min(Integer.MAX_VALUE / 2, Runtime.getRuntime().maxMemory() / BYTES_OF_A_JOB);

        final SwfLineParser parser = new SwfLineParser();
        final List<String> comments = new ArrayList<>();
        long commentBytes;
        long line;
        long malformed;

        @Nullable
        InputException firstProblem;

        Scan(String name) {
            this.name = name;
        }

        boolean run(InputStream in) throws IOException {
            try {
                lines(in);
                return true;
            } catch (EOFException | ZipException e) {
                throw new InputException(
                        "the gzip data is damaged or cut off; fetch the file again", Place.of(line + 1, 0));
            }
        }

        private void lines(InputStream in) throws IOException {
            byte[] buffer = new byte[BUFFER];
            int filled = 0;
            while (true) {
                int count = in.read(buffer, filled, buffer.length - filled);
                if (count < 0) {
                    break;
                }
                int start = 0;
                for (int i = filled; i < filled + count; i++) {
                    if (buffer[i] == '\n') {
                        line(buffer, start, i);
                        start = i + 1;
                    }
                }
                filled = filled + count - start;
                System.arraycopy(buffer, start, buffer, 0, filled);
                if (filled == buffer.length) {
                    if (filled >= LONGEST_LINE) {
                        throw new InputException("a line of over a megabyte: not an SWF log", Place.of(line + 1, 0));
                    }
                    buffer = Arrays.copyOf(buffer, filled * 2);
                }
            }
            if (filled > 0) {
                line(buffer, 0, filled);
            }
        }

        private void line(byte[] bytes, int from, int to) {
            line++;
            int at = from;
            if (line == 1 && to - from >= 3 && bytes[from] == (byte) 0xef && bytes[from + 1] == (byte) 0xbb) {
                at += 3; // a byte order mark
            }
            while (at < to && SwfLineParser.blank(bytes[at])) {
                at++;
            }
            if (at == to) {
                return;
            }
            if (bytes[at] == ';') {
                commentBytes += to - at;
                if (commentBytes > MAX_COMMENT_BYTES) {
                    throw new InputException("more than 16 MB of comments: not an SWF log", Place.of(line, 0));
                }
                comments.add(text(bytes, at + 1, to).stripTrailing());
            } else if (parser.parse(bytes, at, to)) {
                add(parser.values);
            } else {
                int column = parser.problemAt() == 0 ? 0 : parser.problemAt() + at - from;
                report(new InputException(parser.problem(), Place.of(line, column)).in(name));
            }
        }

        private void add(long[] job) {
            if (jobs.size() == max) {
                throw new InputException(
                        "more than " + max
                                + " jobs, which do not fit into Java's memory; increase it, e.g. JAVA_OPTS=-Xmx16g, or use a part of the log");
            }
            jobs.add(job);
        }

        private void report(InputException problem) {
            if (problems == null) {
                throw problem;
            }
            malformed++;
            if (firstProblem == null) {
                firstProblem = problem;
            }
            problems.accept(problem);
        }
    }

    /** Comments are UTF-8 in new logs and Latin-1 in some old ones. */
    private static String text(byte[] bytes, int from, int to) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, from, to - from))
                    .toString();
        } catch (CharacterCodingException e) {
            return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
        }
    }

    /**
     * Parses one line of an SWF log from its bytes, without garbage for the usual line of whole numbers.
     *
     * <p>Fields are separated by any run of blanks, tabs and carriage returns, and the first may be preceded by some. A number may
     * have a sign, a fraction and an exponent.
     */
    private static final class SwfLineParser {
        private static final int MAX_DIGITS = 15;
        private static final int LONGEST_NUMBER = 40;
        private static final SwfField[] FIELDS = SwfField.values();

        /** The values of the last line parsed. */
        final long[] values = new long[SwfField.COUNT];

        private byte[] text = new byte[0];
        private @Nullable String problem;
        private int problemAt;

        /** Parses {@code bytes[from, to)}; true if it is a good line. */
        boolean parse(byte[] bytes, int from, int to) {
            text = bytes;
            problem = null;
            int at = from;
            for (int f = 0; f < SwfField.COUNT; f++) {
                at = skipBlanks(at, to);
                if (at == to) {
                    problem = "the line has " + f + " fields, SWF has " + SwfField.COUNT;
                    problemAt = 0;
                    return false;
                }
                int end = at;
                while (end < to && !blank(bytes[end])) {
                    end++;
                }
                values[f] = number(FIELDS[f], at, end);
                if (problem != null) {
                    problemAt = at - from + 1;
                    return false;
                }
                at = end;
            }
            return true;
        }

        /** The problem of the last invalid line and its column, from 1; 0 for the whole line. */
        String problem() {
            return problem == null ? "" : problem;
        }

        int problemAt() {
            return problemAt;
        }

        static boolean blank(byte b) {
            return b == ' ' || b == '\t' || b == '\r';
        }

        private int skipBlanks(int at, int to) {
            int i = at;
            while (i < to && blank(text[i])) {
                i++;
            }
            return i;
        }

        private long number(SwfField field, int from, int to) {
            int at = from;
            boolean negative = text[at] == '-';
            if (negative || text[at] == '+') {
                at++;
            }
            if (at == to || to - at > MAX_DIGITS) {
                return slowNumber(field, from, to);
            }
            long whole = 0;
            for (; at < to; at++) {
                int digit = text[at] - '0';
                if (digit < 0 || digit > 9) {
                    return slowNumber(field, from, to);
                }
                whole = whole * 10 + digit;
            }
            return column(field, negative ? -whole : whole, 0);
        }

        /** Anything but plain digits: a fraction, an exponent, or no number at all. */
        private long slowNumber(SwfField field, int from, int to) {
            String token = new String(text, from, Math.min(to - from, LONGEST_NUMBER), StandardCharsets.ISO_8859_1);
            if (to - from > LONGEST_NUMBER) {
                problem = field.title() + " '" + printable(token) + "…' is too long for a number";
                return 0;
            }
            BigDecimal value;
            try {
                value = new BigDecimal(token);
            } catch (NumberFormatException e) {
                problem = field.title() + " '" + printable(token) + "' is not a number";
                return 0;
            }
            // The exponent is bounded before anything expands it: 1e999999999 must not fill the memory.
            if (value.signum() != 0 && (value.precision() - value.scale() > MAX_DIGITS || value.scale() > 1000)) {
                problem = field.title() + " '" + printable(token) + "' is out of range";
                return 0;
            }
            BigDecimal thousandths = value.signum() == 0
                    ? BigDecimal.ZERO
                    : value.movePointRight(3).setScale(0, RoundingMode.HALF_UP);
            long all = thousandths.longValueExact();
            boolean whole = value.signum() == 0 || value.stripTrailingZeros().scale() <= 0;
            if (field.kind() == SwfField.Kind.COUNT && !whole) {
                problem = field.title() + " '" + printable(token) + "' is not a whole number";
                return 0;
            }
            return column(field, all / 1000, all % 1000);
        }

        private long column(SwfField field, long whole, long thousandths) {
            switch (field.kind()) {
                case TIME:
                    // -1 is "unknown", not a second before the log began.
                    return whole == -1 && thousandths == 0 ? SwfLog.UNKNOWN : whole * 1000 + thousandths;
                case MEMORY:
                    return thousandths >= 500 ? whole + 1 : whole;
                case COUNT:
                default:
                    if (whole != (int) whole) {
                        problem = field.title() + " " + whole + " is out of range";
                    }
                    return whole;
            }
        }

        private static String printable(String token) {
            return token.replaceAll("[^\\x21-\\x7e]", "?");
        }
    }
}
