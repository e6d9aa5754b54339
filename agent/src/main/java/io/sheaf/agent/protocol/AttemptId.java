package io.sheaf.agent.protocol;

import org.jspecify.annotations.Nullable;

/** The id of an attempt: the task's number in the workflow, and the attempt's number, from 1. */
public record AttemptId(int task, int attempt) {
    // Written out: what Java would generate for a record at run time cannot be archived and delays the start of agents.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AttemptId that && task == that.task && attempt == that.attempt;
    }

    @Override
    public int hashCode() {
        return 31 * task + attempt;
    }

    @Override
    public String toString() {
        return task + "." + attempt;
    }
}
