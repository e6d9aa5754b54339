package io.sheaf.runtime.batch;

import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import java.util.BitSet;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** The driver's state of a pilot job. Used by the event loop's thread only. */
final class BatchJob {
    /** The phase of a pilot job. */
    enum Phase {
        /** To be submitted, or submitted without a known result. */
        REQUESTED,
        REFUSED,
        QUEUED,
        RUNNING,
        ENDED
    }

    final long token;
    final JobFolder folder;
    Request request;
    Phase phase = Phase.REQUESTED;
    long job = BatchCommands.UNKNOWN;
    long submittedAt;

    /** When its number became known: an older snapshot of the queue cannot contain it. */
    long acceptedAt;

    long startedAt = -1;
    long endedAt;
    String why = "";
    Event.End end = Event.End.LOST;

    /** Whether there may be a submission without an answer. */
    boolean lost;

    /** Whether the last submission was answered without a job number. */
    boolean unread;

    /** The earliest instant of the next submission attempt. */
    long holdUntil;

    /** The end that we requested; null if none. */
    Event.@Nullable End requestedEnd;

    /** When it is cancelled if it has not ended by itself; {@code Long.MAX_VALUE} for never. */
    long cancelAt = Long.MAX_VALUE;

    /** The final state that the batch system reported; null if none is known. */
    @Nullable
    JobState finalState;

    /** When that state was first reported. */
    long finalAt;

    /** Whether agents left unexpectedly: the job may have been requeued, although its script has ended. */
    boolean suspicious;

    /** When it counts as ended because all its agents have ended, regardless of the batch system's state. */
    long missingDeadline = Long.MAX_VALUE;

    /** Whether a command about it is in progress. */
    boolean busy;

    /** When the batch system is queried about this job; {@code Long.MAX_VALUE} for never. */
    long queryAt = Long.MAX_VALUE;

    /** When its marks are read again. */
    long readMarksAt;

    /** When its agents receive the next stop message. */
    long stopAt;

    /** The last known time limit in the batch system, in milliseconds. */
    long granted;

    /** The number of searches without a result. */
    int searches;

    /** Whether it can never start; the user has a message with the reason. */
    boolean never;

    /** Whether the user has a message that it is held. */
    boolean heldReported;

    /** Whether the mark of what was granted was read. */
    boolean grantRead;

    /** Whether nodes without a connection were reported. */
    boolean silenceReported;

    /** Nodes whose agents have connected. */
    final BitSet connected = new BitSet();

    /** Nodes whose agents have ended with all their processes. */
    final BitSet ended = new BitSet();

    private final LongUnaryOperator rounding;

    /**
     * A requested pilot job.
     *
     * @param rounding rounds a walltime to the batch system's time limit
     */
    BatchJob(long token, Request request, long at, JobFolder folder, LongUnaryOperator rounding) {
        this.token = token;
        this.request = request;
        this.folder = folder;
        submittedAt = at;
        this.rounding = rounding;
        granted = requestedLimit();
    }

    /** The time limit that it should have, in the batch system's rounding. */
    long requestedLimit() {
        return rounding.applyAsLong(request.walltime());
    }

    /** The end of its time limit, in the batch system's rounding. */
    long limit() {
        return startedAt + requestedLimit();
    }

    boolean isActive() {
        return phase == Phase.QUEUED || phase == Phase.RUNNING;
    }

    boolean isFinished() {
        return phase == Phase.ENDED || phase == Phase.REFUSED;
    }
}
