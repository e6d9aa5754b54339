package io.sheaf.app.dashboard;

import io.sheaf.app.web.WebException;
import io.sheaf.runtime.recorded.RecordedRun;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The output of a task's attempt, or its end if it is long. */
final class TaskLog {
    private static final int MAX_BYTES = 1 << 16;
    private static final int MAX_ATTEMPTS = 1000;

    private TaskLog() {}

    /**
     * Reads the output.
     *
     * @param attempt its number; −1 for the last one with output
     */
    static String read(RecordedRun run, String task, long attempt, boolean errors) throws IOException {
        int number = run.workflow().find(task);
        if (number < 0) {
            throw WebException.notFound("no such task: '" + task + "'");
        }
        int attemptNumber = (int) attempt;
        for (int i = 0; attempt < 0 && i < MAX_ATTEMPTS; i++) {
            attemptNumber = exists(run, number, i) ? i : attemptNumber;
            if (attemptNumber >= 0 && !exists(run, number, i + 1) && !exists(run, number, i)) {
                break;
            }
        }
        Path file = attemptNumber < 0 ? null : run.log(number, attemptNumber, errors);
        if (file == null || !Files.isRegularFile(file)) {
            return "";
        }
        return tail(file);
    }

    private static boolean exists(RecordedRun run, int task, int attempt) {
        return Files.isRegularFile(run.log(task, attempt, false)) || Files.isRegularFile(run.log(task, attempt, true));
    }

    private static String tail(Path file) throws IOException {
        try (FileChannel in = FileChannel.open(file)) {
            long from = Math.max(0, in.size() - MAX_BYTES);
            ByteBuffer text = ByteBuffer.allocate((int) Math.min(MAX_BYTES, in.size() - from));
            while (text.hasRemaining() && in.read(text, from + text.position()) >= 0) {
                // Continue reading.
            }
            String end = new String(text.array(), 0, text.position(), StandardCharsets.UTF_8);
            return from == 0 ? end : "… the last " + MAX_BYTES / 1024 + " KiB of " + in.size() / 1024 + " KiB:\n" + end;
        }
    }
}
