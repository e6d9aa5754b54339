package io.sheaf.manager;

import io.sheaf.predict.StartEstimator;

/**
 * Decides which pilot jobs to ask for.
 *
 * <p>A strategy has no state of its own: all it knows is in the view and in its memo, and all it wants is in the decision. So the same
 * strategy decides in a simulation, on a real cluster, and in a fork that asks "what if".
 */
public interface Strategy {
    /** The words that name it on the command line, with its parameters: {@code zhang:global=false}. */
    String name();

    /** Called when the run begins, when a pilot job starts or ends, when a task ends, and when woken. */
    Decision decide(View view, Memo memo, StartEstimator estimator, Considered considered);

    /** The same strategy where the run can be played on in thought. */
    default Strategy foreseeing(Futures futures) {
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
