package io.sheaf.app.report;

import io.sheaf.app.cli.Table;
import io.sheaf.manager.TaskState;
import io.sheaf.report.Job;
import io.sheaf.runtime.recorded.RunState;
import io.sheaf.runtime.recorded.RunStatus;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How far a run is, in lines for people. */
public final class StatusText {
    private static final int BAR = 40;

    private StatusText() {}

    /** State, progress, expected end. */
    public static List<String> head(RunStatus status) {
        List<String> lines = new ArrayList<>();
        lines.add(line("state", state(status)));
        lines.add(line("progress", bar(status)));
        lines.add(line("tasks", tasks(status)));
        lines.add(line(status.state().isOver() ? "took" : "for", Rounded.time(status.at() - status.begun())));
        if (status.expectedEnd() != Job.NEVER) {
            lines.add(line(
                    "expected end",
                    "after " + Rounded.time(status.expectedEnd() - status.begun()) + ", "
                            + distance(status.expectedEnd(), status.at())));
        }
        return lines;
    }

    private static String state(RunStatus status) {
        String word = status.state().word();
        if (!status.why().isEmpty()) {
            word += ": " + status.why();
        }
        return status.state() == RunState.INTERRUPTED ? word + ": no process is in charge" : word;
    }

    private static String bar(RunStatus status) {
        int done = status.tasks(TaskState.DONE);
        int all = Math.max(1, status.size());
        int full = (int) ((long) BAR * done / all);
        return "[" + "#".repeat(full) + ".".repeat(BAR - full) + "] "
                + DecimalText.fixed(Math.floor(1000.0 * done / all) / 10, 1) + " %";
    }

    private static String tasks(RunStatus status) {
        StringBuilder text = new StringBuilder(
                Rounded.count(status.tasks(TaskState.DONE)) + " of " + Rounded.count(status.size()) + " done");
        for (TaskState state : TaskState.values()) {
            if (state != TaskState.DONE && status.tasks(state) > 0) {
                text.append(", ")
                        .append(Rounded.count(status.tasks(state)))
                        .append(' ')
                        .append(state.name().toLowerCase(Locale.ROOT));
            }
        }
        return text.toString();
    }

    /** A table of the pilot jobs; instants as distances from now. */
    public static List<String> pilotJobs(RunStatus status) {
        if (status.pilotJobs().isEmpty()) {
            return List.of();
        }
        List<List<String>> rows = new ArrayList<>();
        status.pilotJobs().forEach(p -> rows.add(row(p, status.at())));
        StringWriter text = new StringWriter();
        try (PrintWriter out = new PrintWriter(text)) {
            Table.print(
                    out,
                    List.of("pilot job", "nodes", "walltime", "state", "since", "expected", "tasks", "for"),
                    rows,
                    ">>><>>><");
        }
        return text.toString().lines().toList();
    }

    private static List<String> row(RunStatus.Waiting p, long now) {
        String expected;
        if (p.ending()) {
            expected = "";
        } else if (p.hasStarted()) {
            expected = "ends " + distance(p.endsAt(), now);
        } else {
            expected = p.expectedStart() == Job.NEVER ? "not known" : "starts " + distance(p.expectedStart(), now);
        }
        return List.of(
                Long.toString(p.token()),
                Rounded.count(p.nodes()),
                Rounded.time(p.walltime()),
                p.ending() ? "ending" : p.hasStarted() ? "running" : "queued",
                Rounded.time(Math.max(0, now - (p.hasStarted() ? p.started() : p.submitted()))),
                expected,
                Rounded.count(p.running()),
                p.claim());
    }

    private static String distance(long at, long now) {
        return at >= now ? "in " + Rounded.time(at - now) : Rounded.time(now - at) + " ago";
    }

    public static String line(String what, String value) {
        return String.format(Locale.ROOT, "%-14s", what) + value;
    }
}
