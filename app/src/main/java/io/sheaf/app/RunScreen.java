package io.sheaf.app;

import io.sheaf.runtime.RunStatus;
import java.util.ArrayList;
import java.util.List;

/**
 * What is on the screen while a run goes on: state, progress, placeholders, and below them the last messages.
 *
 * @param title the run in a few words
 * @param messages the oldest first
 */
record RunScreen(String title, RunStatus status, List<String> messages) {
    /** Messages are never crowded out altogether. */
    private static final int LEAST_MESSAGES = 3;

    RunScreen {
        messages = List.copyOf(messages);
    }

    /** The lines of a screen of this size, none of them wider and no more of them than fit. */
    List<String> lines(int width, int height) {
        List<String> lines = new ArrayList<>();
        lines.add(title);
        lines.addAll(StatusText.head(status));
        List<String> table = StatusText.placeholders(status);
        int room = Math.max(0, height - lines.size() - 2 - LEAST_MESSAGES);
        if (!table.isEmpty()) {
            lines.add("");
            lines.addAll(table.subList(0, Math.min(table.size(), room)));
            if (table.size() > room) {
                lines.set(lines.size() - 1, "and " + (table.size() - room + 1) + " more");
            }
        }
        lines.add("");
        int left = Math.max(0, height - lines.size());
        lines.addAll(messages.subList(Math.max(0, messages.size() - left), messages.size()));
        return lines.stream()
                .limit(Math.max(0, height))
                .map(line -> clipped(line, width))
                .toList();
    }

    private static String clipped(String line, int width) {
        // What a task printed may hold anything; on the screen it must not move the cursor.
        String plain = line.replaceAll("\\p{Cntrl}", " ");
        return plain.codePointCount(0, plain.length()) <= width
                ? plain
                : plain.substring(0, plain.offsetByCodePoints(0, Math.max(0, width)));
    }
}
