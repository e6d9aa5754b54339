package io.sheaf.app.run;

import io.sheaf.app.cli.Fields;
import io.sheaf.app.report.StatusReport;
import io.sheaf.runtime.recorded.RunStatus;
import java.util.ArrayList;
import java.util.List;

/**
 * The full-screen view of an active run: state, progress, pilot jobs, and the last messages.
 *
 * @param title a short description of the run
 * @param messages oldest first
 */
record RunScreen(String title, RunStatus status, List<String> messages) {
    /** The minimum number of lines for messages. */
    private static final int MIN_MESSAGES = 3;

    List<String> lines(int width, int height) {
        List<String> lines = new ArrayList<>();
        lines.add(title);
        lines.addAll(StatusReport.head(status, null));
        lines.addAll(pilotJobs(height - lines.size() - 1 - MIN_MESSAGES));
        lines.add("");
        int left = Math.max(0, height - lines.size());
        lines.addAll(messages.subList(Math.max(0, messages.size() - left), messages.size()));
        return lines.stream()
                .limit(Math.max(0, height))
                .map(line -> clipped(line, width))
                .toList();
    }

    /** The table of pilot jobs, truncated to the available lines. */
    private List<String> pilotJobs(int room) {
        List<String> table = new ArrayList<>(StatusReport.pilotJobs(status));
        if (table.isEmpty()) {
            return table;
        }
        table.add(0, "");
        if (table.size() <= room) {
            return table;
        }
        // An empty line, the head, a pilot job, and the number of further ones.
        if (room < 4) {
            return List.of(
                    Fields.line("pilot jobs", String.valueOf(status.pilotJobs().size())));
        }
        List<String> visible = new ArrayList<>(table.subList(0, room - 1));
        visible.add("and " + (table.size() - visible.size()) + " more");
        return visible;
    }

    private static String clipped(String line, int width) {
        // Removes control characters of task output, which could move the cursor.
        String plain = line.replaceAll("\\p{Cntrl}", " ");
        return plain.codePointCount(0, plain.length()) <= width
                ? plain
                : plain.substring(0, plain.offsetByCodePoints(0, Math.max(0, width)));
    }
}
