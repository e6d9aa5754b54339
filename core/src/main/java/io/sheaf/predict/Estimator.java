package io.sheaf.predict;

import java.util.Arrays;

/** Answers when a job submitted now would start. */
public interface Estimator {
    /** What an answer rests on. */
    enum Basis {
        /** The batch system holds to it, unless jobs of higher priority come. */
        PROMISE,
        /** The queue was played forward with full requests and nothing else arriving. */
        SIMULATED,
        /** Learnt from earlier waits. */
        LEARNED,
        /** Nothing is known. */
        NONE
    }

    /**
     * For each of {@code count} jobs, of {@code units[i]} × {@code walltime[i]} ms and each by itself, the instant at which it would
     * start; {@link Long#MAX_VALUE} for one that never would.
     */
    void starts(long now, int pool, int[] units, long[] walltime, int count, long[] out);

    /**
     * When jobs would start that are submitted now one after the other, each with those before it in the queue; {@link Long#MAX_VALUE} for one
     * that never would. Where submissions do not reach what is asked at once, none is taken to be before another.
     *
     * @return for how many of them, from the first on, this is told: as many as one look at the queue tells, at least one
     */
    default int inTurn(long now, int pool, int[] units, long[] walltime, int count, long[] out) {
        starts(now, pool, units, walltime, 1, out);
        return 1;
    }

    /**
     * When jobs of ours that are queued are expected to start, by the tokens under which they were submitted, if another one of {@code units} ×
     * {@code walltime} ms were submitted now, and, at {@code out[count]}, when that one would; {@link Long#MAX_VALUE} for one of which
     * nothing is known. With no units no other one is meant.
     */
    default void together(long now, long[] tokens, int count, int pool, int units, long walltime, long[] out) {
        Arrays.fill(out, 0, count + 1, Long.MAX_VALUE);
    }

    /**
     * The same if one of ours that is queued, and is none of these, is cancelled as soon as the other one is in the queue. Who cannot tell answers as if it stayed, with which nothing starts
     * too early.
     */
    default void without(
            long now, long cancelled, long[] tokens, int count, int pool, int units, long walltime, long[] out) {
        together(now, tokens, count, pool, units, walltime, out);
    }

    Basis basis();
}
