package io.sheaf.app.run;

import java.io.Writer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** A writer that keeps the last lines. */
final class LastLines extends Writer {
    private final int limit;
    private final Deque<String> lines = new ArrayDeque<>();
    private final StringBuilder open = new StringBuilder();

    LastLines(int limit) {
        this.limit = limit;
    }

    @Override
    public void write(char[] text, int from, int count) {
        synchronized (lines) {
            for (int i = from; i < from + count; i++) {
                if (text[i] == '\n') {
                    lines.addLast(open.toString());
                    open.setLength(0);
                } else if (text[i] != '\r') {
                    open.append(text[i]);
                }
            }
            while (lines.size() > limit) {
                lines.removeFirst();
            }
        }
    }

    /** The complete lines, oldest first. */
    List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
