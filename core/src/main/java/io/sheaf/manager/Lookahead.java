package io.sheaf.manager;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Simulates a run forward from its present state, with other strategies and sampled futures of the queue. Belongs to one run; used by its manager's
 * thread.
 */
public interface Lookahead {
    /** A simulation of the rest of a run, step by step. */
    interface SteppedSimulation {
        /**
         * Simulates the next instant. An exception of the strategy ends the simulation and is rethrown.
         *
         * @return the effort of this step, about microseconds of processor time but the same on every machine; 0 once the simulation has ended
         */
        long step();

        /** The end of the last task; {@link Decision#NEVER} if it was not reached. */
        long end();

        /** The first submitted request; null if there was none. */
        @Nullable
        Request firstRequest();
    }

    /** A copy of a run and its queue at an instant, from which simulations begin. */
    interface Fork {
        /**
         * Begins a simulation.
         *
         * @param memo the strategy's memo
         * @param future the number of a sampled future, which is the same for all strategies
         * @param until the simulation may end after this instant
         */
        SteppedSimulation simulate(Strategy strategy, Memo memo, int future, long until);
    }

    /** A question that takes several simulations. */
    interface Question<T> {
        /** Simulates until the answer is found or the effort is spent. Returns null if it is not found yet. */
        @Nullable
        T proceed(long effort);

        /** Returns the answer from the simulations so far and ends the question. */
        T conclude();
    }

    /**
     * Starts a question about the present run, or continues the current one. Returns at once: null until the answer is found. In a real run another
     * thread computes it; in a simulation each call spends a fixed effort.
     */
    <T> @Nullable T find(Function<Fork, Question<T>> question);

    /** The delay before the next call for an answer, in milliseconds. */
    long pause();
}
