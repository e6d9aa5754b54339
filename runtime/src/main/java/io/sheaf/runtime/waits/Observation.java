package io.sheaf.runtime.waits;

import io.sheaf.predict.Lesson;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A lesson as it is on disk: one line that ends with a checksum.
 *
 * @param writer who saw it; no two files are begun under the same name
 * @param number which one of the writer's it is
 * @param at when, in milliseconds of the epoch
 */
record Observation(String writer, long number, long at, Lesson lesson) {
    /** The order in which all who read them learn from them. */
    static final Comparator<Observation> ORDER = Comparator.comparingLong(Observation::at)
            .thenComparing(Observation::writer)
            .thenComparingLong(Observation::number);

    private static final int FIELDS = 8;

    /** The line without its end. */
    String text() {
        String text = String.join(
                " ",
                writer,
                Long.toString(number),
                Long.toString(at),
                Integer.toString(lesson.nodes()),
                Long.toString(lesson.walltime()),
                Long.toString(lesson.expected()),
                Long.toString(lesson.waited()));
        return text + " " + checksum(text);
    }

    /** What a line tells; null for one that was not written to its end. */
    static @Nullable Observation read(String line) {
        String[] f = line.split(" ", -1);
        int end = line.lastIndexOf(' ');
        if (f.length != FIELDS || !f[FIELDS - 1].equals(checksum(line.substring(0, end)))) {
            return null;
        }
        try {
            Lesson lesson = new Lesson(
                    Integer.parseInt(f[3]), Long.parseLong(f[4]), Long.parseLong(f[5]), Long.parseLong(f[6]));
            return new Observation(f[0], Long.parseLong(f[1]), Long.parseLong(f[2]), lesson);
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
