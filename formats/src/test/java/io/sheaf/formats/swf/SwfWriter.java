package io.sheaf.formats.swf;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/**
 * Writes SWF logs, columns aligned as the archive's are; gzipped if the file's name ends in {@code .gz}.
 *
 * <p>A log that {@link SwfReader} has read is written without loss: the header's lines and every field, with times
 * exact to the millisecond. Only fields after the 18th and fractions of memory are lost.
 */
final class SwfWriter {
    private static final SwfField[] FIELDS = SwfField.values();
    private static final int[] WIDTHS = {5, 8, 6, 6, 4, 6, 5, 4, 6, 5, 2, 3, 3, 3, 2, 2, 2, 2};
    private static final int LONGEST_LINE = SwfField.COUNT * 25;

    private final OutputStream out;
    private final byte[] buffer = new byte[1 << 16];
    private int filled;

    private SwfWriter(OutputStream out) {
        this.out = out;
    }

    static void write(SwfLog log, Path file) throws IOException {
        try (OutputStream raw = Files.newOutputStream(file)) {
            if (file.toString().endsWith(".gz")) {
                try (OutputStream zipped = new GZIPOutputStream(raw, 1 << 16)) {
                    write(log, zipped);
                }
            } else {
                write(log, raw);
            }
        }
    }

    /** Writes a log as plain text; the stream is flushed and left open. */
    static void write(SwfLog log, OutputStream out) throws IOException {
        new SwfWriter(out).log(log);
        out.flush();
    }

    private void log(SwfLog log) throws IOException {
        for (SwfHeader.HeaderField entry : log.header().entries()) {
            String pair = "; " + entry.key() + ": " + entry.value().replace("\n", "\n;       ") + "\n";
            out.write(pair.getBytes(StandardCharsets.UTF_8));
        }
        for (int i = 0; i < log.size(); i++) {
            if (buffer.length - filled < LONGEST_LINE) {
                flush();
            }
            for (int f = 0; f < SwfField.COUNT; f++) {
                if (f > 0) {
                    buffer[filled++] = ' ';
                }
                field(FIELDS[f], log.value(FIELDS[f], i), WIDTHS[f]);
            }
            buffer[filled++] = '\n';
        }
        flush();
    }

    private void flush() throws IOException {
        out.write(buffer, 0, filled);
        filled = 0;
    }

    private void field(SwfField field, long value, int width) {
        boolean scaled = field.kind() == SwfField.Kind.TIME && value != SwfLog.UNKNOWN;
        long whole = scaled ? value / 1000 : value;
        long thousandths = scaled ? Math.abs(value % 1000) : 0;
        String text = Long.toString(whole);
        if (thousandths != 0) {
            String digits = Long.toString(1000 + thousandths).substring(1);
            text = (value < 0 && whole == 0 ? "-0" : text) + "." + digits.replaceAll("0+$", "");
        }
        for (int pad = width - text.length(); pad > 0; pad--) {
            buffer[filled++] = ' ';
        }
        for (int i = 0; i < text.length(); i++) {
            buffer[filled++] = (byte) text.charAt(i);
        }
    }
}
