package io.sheaf.manager;

import io.sheaf.predict.StartEstimator;
import io.sheaf.workflow.Workflow;

/**
 * Decides which pilot jobs to submit, cancel, shorten and drain.
 *
 * <p>A strategy is immutable: a decision depends on the view, the memo and the estimates only. So the same strategy decides in a simulation, on a real cluster, and in a fork.
 */
public interface Strategy {
    /** The words that name it on the command line, with its parameters: {@code zhang:global=false}. */
    String name();

    /** Called when the run begins, when a pilot job starts or ends, when a task ends, and when woken. */
    Decision decide(View view, Memo memo, StartEstimator estimator, Considered considered);

    /** The same strategy for a workflow that has grown or whose task times have changed; the manager calls it before the next decision. */
    default Strategy forWorkflow(Workflow changed) {
        return this;
    }

    /**
     * Whether it wants to hear when jobs will most likely start, as far as that is learnt, and not what the batch system plans, for which strategies are made.
     */
    default boolean wantsLikelyStarts() {
        return false;
    }

    /** The memo of this strategy that has this text. */
    default Memo memo(String text) {
        if (text.isEmpty()) {
            return Memo.NONE;
        }
        throw new IllegalArgumentException("strategy " + name() + " remembers nothing like '" + text + "'");
    }
}
