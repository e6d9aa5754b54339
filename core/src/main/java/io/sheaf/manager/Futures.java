package io.sheaf.manager;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The futures that a run may have, to be looked into in thought: whoever has the queue, simulated or real, can play it on. */
public interface Futures {
    /** A run that is played on in thought, step by step. */
    interface Play {
        /** Plays on; returns what that was worth of effort, about microseconds of a processor but the same on every machine, and 0 once it is over. */
        long goOn();

        /** When the last task ends; {@link Decision#NEVER} if not as far as it was played. */
        long end();
    }

    /** What would happen if from a moment on a strategy decided. */
    interface Moment {
        /**
         * Begins to play the run on.
         *
         * @param memo what the strategy remembers
         * @param future which of the futures that were drawn: the same number is the same for all strategies at a moment
         * @param until when it is no longer of interest
         */
        Play play(Strategy strategy, Memo memo, int future, long until);

        /** When the last task would end; {@link Decision#NEVER} if it would not end before {@code until}, or not at all. */
        default long end(Strategy strategy, Memo memo, int future, long until) {
            Play play = play(strategy, memo, future, until);
            while (play.goOn() > 0) {
                // Until it is over.
            }
            return play.end();
        }

        /** Whether nothing more can be played, since there is no time. */
        default boolean isOutOfTime() {
            return false;
        }
    }

    /** Something to be found out, by and by. */
    interface Question<T> {
        /** Looks into it until it is found or so much effort was spent; null if it is not found yet. */
        @Nullable
        T goOn(long effort);
    }

    /**
     * Has something found out about a run as it is now; the moment remains what it was however the run goes on. Nobody waits for it: null until it is there, and as long as it is not nothing else is
     * begun. In a real run it is found out beside; where time is simulated a piece of it each time that it is asked for, always the same.
     */
    <T> @Nullable T find(View view, Function<Moment, Question<T>> question);

    /** How soon it is worth while to ask again for what is not found yet, in milliseconds. */
    long pause();
}
