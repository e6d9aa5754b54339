package io.sheaf.manager;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Simulates a run forward from its present state, with other strategies and drawn futures of the queue. Made for one run; used by the thread of its manager.
 */
public interface Lookahead {
    /** A simulation of the rest of a run, step by step. */
    interface Simulation {
        /**
         * Simulates the next instant. What a strategy throws ends the simulation and is thrown on.
         *
         * @return the effort of this step, about microseconds of processor time but the same on every machine; 0 once the simulation has ended
         */
        long step();

        /** When the last task ends; {@link Decision#NEVER} if it does not, as far as was simulated. */
        long end();

        /** The first request that is submitted; null if there was none so far. */
        @Nullable
        Request firstRequest();
    }

    /** A copy of a run and its queue at an instant, from which simulations begin. */
    interface Fork {
        /**
         * Begins a simulation.
         *
         * @param memo the strategy's memo
         * @param future the number of a drawn future, which is the same for all strategies
         * @param until the simulation may end after this instant
         */
        Simulation simulate(Strategy strategy, Memo memo, int future, long until);
    }

    /** A question that takes several simulations. */
    interface Question<T> {
        /** Simulates until the answer is found or some effort is spent; null if it is not found yet. */
        @Nullable
        T proceed(long effort);

        /** The answer by the simulations that were made; it ends the question. */
        T conclude();
    }

    /**
     * Starts a question about the run as it is now, or continues the one that was started before. Returns at once: null until the answer is found. In a real run another thread looks for it; in a
     * simulation each call spends some effort, always the same.
     */
    <T> @Nullable T find(Function<Fork, Question<T>> question);

    /** How soon to ask again for an answer that is not found yet, in milliseconds. */
    long pause();
}
