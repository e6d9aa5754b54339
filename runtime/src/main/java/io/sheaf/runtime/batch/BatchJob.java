package io.sheaf.runtime.batch;

import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import java.util.BitSet;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** A pilot job as the driver knows it. Touched by the event loop's thread only. */
final class BatchJob {
    /** How far it is. */
    enum Phase {
        /** It is to be submitted, or was and nobody knows. */
        ASKED,
        REFUSED,
        QUEUED,
        RUNNING,
        OVER
    }

    final long token;
    Request request;
    Phase phase = Phase.ASKED;
    long job = BatchCommands.UNKNOWN;
    long submittedAt;

    /** When its number was learnt: a picture of the queue that is older cannot show it. */
    long acceptedAt;

    long startedAt = -1;
    long endedAt;
    String why = "";
    Event.End how = Event.End.LOST;

    /** Whether a submission may have been made that was not answered. */
    boolean lost;

    /** Whether the last submission was answered, but with no number in the answer. */
    boolean unread;

    /** Before this instant it is not submitted again. */
    long holdUntil;

    /** How we want it to end; null if we do not. */
    Event.@Nullable End wanted;

    /** When it is cancelled if it has not ended by itself; never if it is not to. */
    long cancelAt = Long.MAX_VALUE;

    /** What the batch system said last; null if it is not known to have left the queue. */
    @Nullable
    JobState finalState;

    /** When that was first heard. */
    long finalAt;

    /** Whether agents left unasked: the job may have been requeued, although its script has ended. */
    boolean suspicious;

    /** When it counts as over since all its agents are gone, whatever the batch system says. */
    long gonePatience = Long.MAX_VALUE;

    /** Whether something is being asked about it. */
    boolean busy;

    /** When the batch system is asked about it, by itself; never if there is no reason to. */
    long askAt = Long.MAX_VALUE;

    /** When its marks are looked at again. */
    long lookAt;

    /** When its agents are told again to end. */
    long stopAt;

    /** The time limit that the batch system has, in milliseconds, as far as is known. */
    long granted;

    /** How often it was looked for in vain. */
    int looks;

    /** Whether it would never start, for the reason that was told. */
    boolean never;

    /** Whether a person has been told that it is held. */
    boolean heldTold;

    /** Nodes whose agents have called. */
    final BitSet heard = new BitSet();

    /** Nodes whose agents are gone, with all that they ran. */
    final BitSet gone = new BitSet();

    private final LongUnaryOperator rounding;

    /**
     * One that was asked for.
     *
     * @param rounding the time limit that the batch system makes of one
     */
    BatchJob(long token, Request request, long at, LongUnaryOperator rounding) {
        this.token = token;
        this.request = request;
        submittedAt = at;
        this.rounding = rounding;
        granted = wantedLimit();
    }

    /** The time limit that it is to have, as the batch system counts it. */
    long wantedLimit() {
        return rounding.applyAsLong(request.walltime());
    }

    /** When its time is over, as the batch system counts it. */
    long limit() {
        return startedAt + wantedLimit();
    }

    boolean isThere() {
        return phase == Phase.QUEUED || phase == Phase.RUNNING;
    }

    boolean isOver() {
        return phase == Phase.OVER || phase == Phase.REFUSED;
    }
}
