package io.sheaf.runtime.control;

import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Workflow;
import java.util.List;

/** A control request of a user to a run. */
public sealed interface ControlRequest {
    /**
     * Adds tasks.
     *
     * @param tasks with the ids that they will have in the run
     * @param after edges from tasks of the run
     */
    record Submit(Origin origin, Workflow tasks, List<Edge> after) implements ControlRequest {
        public Submit {
            after = List.copyOf(after);
        }
    }

    /**
     * An edge.
     *
     * @param parent the id of a task of the run
     * @param child the index of a task among those that are added
     */
    record Edge(String parent, int child) {}

    /** Holds a workflow, or resumes it. */
    record Hold(String id, boolean held) implements ControlRequest {}

    /** Cancels a workflow. */
    record Drop(String id) implements ControlRequest {}

    /** Closes the run to new tasks: it ends when all tasks have ended. */
    record Drain() implements ControlRequest {}
}
