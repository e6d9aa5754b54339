package io.sheaf.manager;

import io.sheaf.workflow.Workflow;

/** In which order ready tasks are taken: for each task its rank, lowest first, all different. */
@FunctionalInterface
public interface Ranking {
    int[] ranks(Workflow workflow);
}
