package io.sheaf.runtime.rerun;

import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.workflow.Workflow;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Records committed tasks for later runs. Confined to the event loop's thread. */
public interface CommitBook extends AutoCloseable {
    /** Records nothing. */
    CommitBook NONE = new CommitBook() {};

    /** Records the successful attempt of a task. After a restart it is called again for every task. */
    default void committed(AttemptResult result) {}

    /**
     * The run's recorded commits that a restored manager does not know, because the journal has lost its newest entries;
     * only those whose outputs are on disk as recorded.
     *
     * @param committed the committed attempt of a task by its number, 0 if there is none
     */
    default List<AttemptResult> missing(IntUnaryOperator committed) {
        return List.of();
    }

    /** The run has more tasks, none of which has begun. */
    default void grown(Workflow workflow) {}

    /** Called before the journal makes the recorded commits durable. */
    default void flush() {}

    /** Makes all records durable. */
    @Override
    default void close() {}
}
