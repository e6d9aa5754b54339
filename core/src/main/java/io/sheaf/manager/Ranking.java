package io.sheaf.manager;

import io.sheaf.workflow.Workflow;

/** The order in which ready tasks are started: a distinct rank for each task, lowest first. */
@FunctionalInterface
public interface Ranking {
    int[] ranks(Workflow workflow);
}
