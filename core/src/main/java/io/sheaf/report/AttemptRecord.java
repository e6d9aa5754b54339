package io.sheaf.report;

import io.sheaf.manager.Event.Outcome;
import io.sheaf.workflow.Resources;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of a task.
 *
 * @param token the pilot job that it ran in
 * @param nodes numbers of nodes within the pilot job
 * @param ended when it ended; for a running attempt, the time of the report
 * @param outcome null while it runs
 * @param needs the cores and nodes that it was allocated
 */
public record AttemptRecord(
        long token,
        int task,
        List<Integer> nodes,
        long started,
        long ended,
        @Nullable Outcome outcome,
        Resources needs) {
    public AttemptRecord {
        nodes = List.copyOf(nodes);
    }

    /** The same attempt with another end. */
    AttemptRecord until(long at, @Nullable Outcome how) {
        return new AttemptRecord(token, task, nodes, started, at, how, needs);
    }

    public boolean done() {
        return outcome == Outcome.SUCCEEDED;
    }

    /** Whether it was running at the time of the report. */
    public boolean runs() {
        return outcome == null;
    }

    /** The first of its nodes. */
    public int node() {
        return nodes.get(0);
    }
}
