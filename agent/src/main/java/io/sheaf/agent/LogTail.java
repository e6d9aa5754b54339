package io.sheaf.agent;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The end of a log. */
final class LogTail {
    private static final int LINES = 10;
    private static final int BYTES = 4096;

    private LogTail() {}

    static List<String> of(Path file) {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            long skipped = Math.max(0, in.length() - BYTES);
            in.seek(skipped);
            byte[] bytes = new byte[(int) Math.min(BYTES, in.length() - skipped)];
            int length = Math.max(0, in.read(bytes));
            List<String> lines =
                    new String(bytes, 0, length, StandardCharsets.UTF_8).lines().toList();
            // The first may be a piece only.
            int first = Math.max(lines.size() - LINES, skipped > 0 && lines.size() > 1 ? 1 : 0);
            return lines.subList(first, lines.size());
        } catch (IOException e) {
            return List.of();
        }
    }
}
