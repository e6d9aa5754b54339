package io.sheaf.runtime.queue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.function.BiConsumer;

/**
 * A file to which the manager of a queue adds a line for each change of a task's state: {@code ID STATE REASON}.
 *
 * <p>It has the states of tasks that programs submit through a stream, since one file per task would take longer than a
 * short task. A reader gets each line once. Not thread-safe.
 */
public final class StateLog {
    private final Path file;
    private long read;
    private boolean torn;

    StateLog(Path file) {
        this.file = file;
    }

    /** The file's name in the queue's folder. */
    public Path name() {
        return file.getFileName();
    }

    void add(String id, TaskReport report) throws IOException {
        String line = id + " " + report.phase().word() + " " + report.why().replace('\n', ' ') + "\n";
        // Ends the part of a line that was written before an error, such as a full disk.
        String text = torn ? "\n" + line : line;
        torn = true;
        Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        torn = false;
    }

    /** Passes the states that were added since the last call to a reader, in order. */
    public void follow(BiConsumer<String, TaskReport> reader) throws IOException {
        byte[] added = added();
        int from = 0;
        for (int at = 0; at < added.length; at++) {
            if (added[at] == '\n') {
                String[] fields = new String(added, from, at - from, StandardCharsets.UTF_8).split(" ", 3);
                TaskPhase phase = fields.length == 3 ? TaskPhase.known(fields[1]) : null;
                if (phase != null) {
                    reader.accept(fields[0], new TaskReport(phase, fields[2]));
                }
                from = at + 1;
            }
        }
        read += from;
    }

    private byte[] added() throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = channel.size();
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(Integer.MAX_VALUE - 8, Math.max(0, size - read)));
            int count = 0;
            while (count >= 0 && bytes.hasRemaining()) {
                count = channel.read(bytes, read + bytes.position());
            }
            return Arrays.copyOf(bytes.array(), bytes.position());
        } catch (NoSuchFileException e) {
            return new byte[0];
        }
    }
}
