package io.sheaf.report;

import io.sheaf.manager.Event;
import java.util.List;

/**
 * An attempt of a task that is over.
 *
 * @param token the placeholder that it ran in
 * @param nodes numbers of nodes within the placeholder
 */
public record Attempt(long token, int task, List<Integer> nodes, long started, long ended, Event.Outcome outcome) {
    public Attempt {
        nodes = List.copyOf(nodes);
    }

    /** Whether it succeeded. */
    public boolean done() {
        return outcome == Event.Outcome.SUCCEEDED;
    }

    /** The first of its nodes. */
    public int node() {
        return nodes.get(0);
    }
}
