package io.sheaf.slurm;

import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** A placeholder as the driver knows it. Touched by the event loop's thread only. */
final class SlurmJob {
    /** In place of a job's number. */
    static final long UNKNOWN = -1;

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
    long job = UNKNOWN;
    long submittedAt;
    long startedAt = -1;
    long endedAt;
    String why = "";
    Event.End how = Event.End.LOST;

    /** Whether a submission may have been made that was not answered. */
    boolean lost;

    /** Before this instant it is not submitted again. */
    long holdUntil;

    /** How we want it to end; null if we do not. */
    Event.@Nullable End wanted;

    /** When it is cancelled if it has not ended by itself; never if it is not to. */
    long cancelAt = Long.MAX_VALUE;

    /** What Slurm said last; empty if it is not known to have left the queue. */
    String finalState = "";

    /** When that was first heard. */
    long finalAt;

    /** Whether agents left unasked: the job may have been requeued, although its script has ended. */
    boolean suspicious;

    /** When it counts as over since all its agents are gone, whatever Slurm says. */
    long gonePatience = Long.MAX_VALUE;

    /** Whether something is being asked of Slurm about it. */
    boolean busy;

    /** When Slurm is asked about it, by itself; never if there is no reason to. */
    long askAt = Long.MAX_VALUE;

    /** When its marks are looked at again. */
    long lookAt;

    /** When its agents are told again to end. */
    long stopAt;

    /** The time limit that Slurm has, as far as is known. */
    long minutes;

    /** How often it was looked for in vain. */
    int looks;

    /** Whether a person has been told that it is held. */
    boolean heldTold;

    /** Nodes whose agents have called. */
    final BitSet heard = new BitSet();

    /** Nodes whose agents are gone, with all that they ran. */
    final BitSet gone = new BitSet();

    SlurmJob(long token, Request request, long at) {
        this.token = token;
        this.request = request;
        submittedAt = at;
        minutes = JobScript.minutes(request.walltime());
    }

    /** When its time is over, as Slurm counts it. */
    long limit() {
        return startedAt + JobScript.minutes(request.walltime()) * 60_000;
    }

    boolean isThere() {
        return phase == Phase.QUEUED || phase == Phase.RUNNING;
    }

    boolean isOver() {
        return phase == Phase.OVER || phase == Phase.REFUSED;
    }
}
