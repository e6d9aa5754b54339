package io.sheaf.runtime.control;

import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Workflow;
import java.util.List;

/** Something that a user wants of a run. */
public sealed interface ControlRequest {
    /**
     * More tasks.
     *
     * @param tasks under ids that are to be theirs in the run
     * @param after edges from tasks that the run has
     */
    record Submit(Origin origin, Workflow tasks, List<After> after) implements ControlRequest {
        public Submit {
            after = List.copyOf(after);
        }
    }

    /**
     * An edge.
     *
     * @param parent the id of a task that the run has
     * @param child the number of a task among those that are added
     */
    record After(String parent, int child) {}

    /** A workflow is to be held back, or to go on. */
    record Hold(String id, boolean held) implements ControlRequest {}

    /** A workflow is not wanted any more. */
    record Drop(String id) implements ControlRequest {}

    /** Nothing more is to be added: the run ends when all is done. */
    record Drain() implements ControlRequest {}
}
