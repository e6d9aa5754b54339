package io.sheaf.manager;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The futures that a run may have, to be looked into in thought: whoever has the queue, simulated or real, can play it on. */
public interface Futures {
    /** What would happen if from a moment on a strategy decided. */
    interface Moment {
        /**
         * When the last task would end.
         *
         * @param memo what the strategy remembers
         * @param future which of the futures that were drawn: the same number is the same for all strategies at a moment
         * @param until when it is no longer of interest
         * @return an instant; {@link Decision#NEVER} if it would not end before {@code until}, or not at all
         */
        long end(Strategy strategy, Memo memo, int future, long until);

        /** Whether nothing more can be played, since there is no time. */
        default boolean isOutOfTime() {
            return false;
        }
    }

    /**
     * Has something found out about a run as it is now; the moment remains what it was however the run goes on. Where time is simulated, that takes none. In a
     * real run it is found out beside, so that nobody waits: null until it is there, and as long as it is not nothing else is begun.
     */
    <T> @Nullable T find(View view, Function<Moment, T> question);
}
