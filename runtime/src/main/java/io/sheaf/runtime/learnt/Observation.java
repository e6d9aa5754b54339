package io.sheaf.runtime.learnt;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Something that was seen, as it is on disk: one line that ends with a checksum.
 *
 * @param writer who saw it; no two files are begun under the same name
 * @param number which one of the writer's it is
 * @param at when, in milliseconds of the epoch
 * @param seen what, in words that are set apart by single blanks
 */
record Observation(String writer, long number, long at, String seen) {
    /** The order in which all who read them learn from them. */
    static final Comparator<Observation> ORDER = Comparator.comparingLong(Observation::at)
            .thenComparing(Observation::writer)
            .thenComparingLong(Observation::number);

    /** Writer, number, instant, what was seen. */
    private static final int PARTS = 4;

    /** The line without its end. */
    String text() {
        String text = String.join(" ", writer, Long.toString(number), Long.toString(at), seen);
        return text + " " + checksum(text);
    }

    /** What a line tells; null for one that was not written to its end. */
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
