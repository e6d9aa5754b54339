package io.sheaf.app.service;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.manager.Manager;
import io.sheaf.manager.TaskState;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.run.Forest;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The workflows of a service at an instant, in the order of submission.
 *
 * @param begunAt when the service began
 * @param open whether it accepts more workflows
 */
public record Roster(long begunAt, boolean open, List<RosterEntry> entries) {
    /** An empty roster. */
    public static final Roster NOTHING = new Roster(0, true, List.of());

    public Roster {
        entries = List.copyOf(entries);
    }

    /**
     * One workflow.
     *
     * @param state waiting, running, paused, done, failed or cancelled
     * @param endedAt −1 if it has not ended
     */
    public record RosterEntry(
            String id,
            String owner,
            int priority,
            String state,
            int tasks,
            int done,
            int running,
            int failed,
            int skipped,
            long arrivedAt,
            long endedAt) {
        public boolean isFinished() {
            return endedAt >= 0;
        }
    }

    /** The workflows of a service, as its folder has them. */
    public static Roster of(RecordedRun run) {
        return of(run.history().forest(), run.history().manager(), run.history().begunAt());
    }

    static Roster of(Forest forest, Manager manager, long begunAt) {
        List<RosterEntry> entries =
                forest.parts().stream().map(part -> entry(part, manager)).toList();
        return new Roster(begunAt, manager.isOpen(), entries);
    }

    private static RosterEntry entry(Forest.ForestWorkflow part, Manager manager) {
        int done = 0;
        int running = 0;
        int failed = 0;
        int skipped = 0;
        for (int i = 0; i < part.tasks().size(); i++) {
            TaskState task = manager.state(part.first() + i);
            done += task == TaskState.DONE ? 1 : 0;
            running += task == TaskState.RUNNING ? 1 : 0;
            failed += task == TaskState.FAILED ? 1 : 0;
            skipped += task == TaskState.SKIPPED ? 1 : 0;
        }
        String state;
        if (part.endedAt() >= 0) {
            state = part.isDropped() ? "cancelled" : failed > 0 ? "failed" : "done";
        } else {
            state = part.isHeld() ? "paused" : running > 0 ? "running" : "waiting";
        }
        return new RosterEntry(
                part.origin().id(),
                part.origin().owner(),
                part.origin().priority(),
                state,
                part.tasks().size(),
                done,
                running,
                failed,
                skipped,
                part.arrivedAt(),
                part.endedAt());
    }

    /** The workflows that have ended since an earlier roster, in which they had not. */
    List<RosterEntry> endedSince(Roster before) {
        if (before.equals(NOTHING)) {
            return List.of();
        }
        Set<String> known = new HashSet<>();
        before.entries.stream().filter(RosterEntry::isFinished).forEach(each -> known.add(each.id));
        return entries.stream()
                .filter(each -> each.isFinished() && !known.contains(each.id))
                .toList();
    }

    public @Nullable RosterEntry find(String id) {
        return entries.stream().filter(entry -> entry.id.equals(id)).findFirst().orElse(null);
    }

    /** Writes the roster into an open object. */
    public void fields(JsonOut out) {
        out.field("open", open).objects("workflows", entries, entry -> fields(out, entry));
    }

    /** Writes one entry into an open object; seconds count from the start of the service. */
    void fields(JsonOut out, RosterEntry entry) {
        out.field("id", entry.id)
                .field("owner", entry.owner)
                .field("priority", entry.priority)
                .field("state", entry.state)
                .field("tasks", entry.tasks)
                .field("done", entry.done)
                .field("running", entry.running)
                .field("failed", entry.failed)
                .field("skipped", entry.skipped)
                .seconds("arrivedSeconds", (entry.arrivedAt - begunAt) * 1000);
        if (entry.isFinished()) {
            out.seconds("endedSeconds", (entry.endedAt - begunAt) * 1000);
        }
    }
}
