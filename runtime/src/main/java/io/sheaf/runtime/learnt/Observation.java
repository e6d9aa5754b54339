package io.sheaf.runtime.learnt;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One observation on disk: a line that ends with a checksum.
 *
 * @param writer its writer, unique per file
 * @param number its sequence number within the writer
 * @param at when it was made, in milliseconds of the epoch
 * @param value its content, as words separated by single spaces
 */
record Observation(String writer, long number, long at, String value) {
    /** The order in which all readers process observations. */
    static final Comparator<Observation> ORDER = Comparator.comparingLong(Observation::at)
            .thenComparing(Observation::writer)
            .thenComparingLong(Observation::number);

    /** Writer, number, instant, content. */
    private static final int PARTS = 4;

    /** The line without its checksum. */
    String text() {
        String text = String.join(" ", writer, Long.toString(number), Long.toString(at), value);
        return text + " " + checksum(text);
    }

    /** Parses a line; null if it is incomplete. */
    static @Nullable Observation read(String line) {
        int end = line.lastIndexOf(' ');
        if (end < 0 || !line.substring(end + 1).equals(checksum(line.substring(0, end)))) {
            return null;
        }
        String[] f = line.substring(0, end).split(" ", PARTS);
        if (f.length < PARTS) {
            return null;
        }
        try {
            return new Observation(f[0], Long.parseLong(f[1]), Long.parseLong(f[2]), f[3]);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static String checksum(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }
}
