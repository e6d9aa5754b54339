package io.sheaf.manager;

import io.sheaf.predict.StartEstimator;
import io.sheaf.workflow.Workflow;

/**
 * Decides which pilot jobs to submit, cancel, shorten and drain.
 *
 * <p>A strategy is immutable: a decision depends on the view, the memo and the estimates only. Simulations, real runs and forks use the same
 * strategy.
 */
public interface Strategy {
    /** Its name and parameters, as on the command line: {@code zhang:global=false}. */
    String name();

    /** Returns a decision. The manager calls it when the run begins, a pilot job starts or ends, a task ends, or a wake-up is due. */
    Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink);

    /** The same strategy for a workflow that has grown or whose task times have changed; the manager calls it before the next decision. */
    default Strategy forWorkflow(Workflow changed) {
        return this;
    }

    /** Whether it uses learnt start-time estimates instead of the batch system's planned starts. */
    default boolean usesLearntStarts() {
        return false;
    }

    default Memo memo(String text) {
        if (text.isEmpty()) {
            return Memo.NONE;
        }
        throw new IllegalArgumentException("strategy " + name() + " remembers nothing like '" + text + "'");
    }
}
