package io.sheaf.formats.swf;

import io.sheaf.formats.Source;
import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
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
    /** Takes the jobs of a log as they are read. */
    public interface Sink {
        /** One job: the 18 values of its line, times in milliseconds. The array is used again for the next. */
        void job(long[] values);
    }

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
        SwfLog.Builder builder = SwfLog.builder();
        // Fewer than would fill the memory: the columns grow by copies.
        int max = (int) Math.min(Integer.MAX_VALUE / 2, Runtime.getRuntime().maxMemory() / BYTES_OF_A_JOB);
        Scan scan = new Scan(source.name(), values -> {
            if (builder.size() == max) {
                throw new InputException(
                        "more than " + max
                                + " jobs, which do not fit into Java's memory; increase it, e.g. JAVA_OPTS=-Xmx16g, or use a part of the log");
            }
            builder.add(values);
        });
        source.read(scan::run);
        if (builder.size() == 0 && scan.firstProblem != null) {
            throw new InputException("not an SWF log: none of its " + scan.malformed
                            + " lines has 18 numbers; the first: " + scan.firstProblem.problem())
                    .in(source.name());
        }
        return builder.lines(scan.malformed, scan.wider).build(SwfHeader.ofLines(scan.comments));
    }

    /** Reads a log as a stream: each job is passed to the sink. Returns the header. */
    public SwfHeader scan(Source source, Sink sink) {
        Scan scan = new Scan(source.name(), sink);
        source.read(scan::run);
        return SwfHeader.ofLines(scan.comments);
    }

    /** One pass over one log. */
    private final class Scan {
        final String name;
        final Sink sink;
        final SwfLineParser parser = new SwfLineParser();
        final List<String> comments = new ArrayList<>();
        long commentBytes;
        long line;
        long malformed;
        long wider;

        @Nullable
        InputException firstProblem;

        Scan(String name, Sink sink) {
            this.name = name;
            this.sink = sink;
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
                wider += parser.wider() ? 1 : 0;
                sink.job(parser.values);
            } else {
                int column = parser.problemAt() == 0 ? 0 : parser.problemAt() + at - from;
                report(new InputException(parser.problem(), Place.of(line, column)).in(name));
            }
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
}
