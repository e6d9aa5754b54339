package io.sheaf.manager;

import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;

/** The order in which ready tasks are started: a distinct rank for each task, lowest first. */
@FunctionalInterface
public interface Ranking {
    /**
     * The rank of each task.
     *
     * @param node what a node has for tasks
     */
    int[] ranks(Workflow workflow, Resources node);
}
