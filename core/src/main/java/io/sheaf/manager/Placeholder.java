package io.sheaf.manager;

import java.util.Arrays;

/**
 * A batch job of ours: nodes × walltime, and the tasks that it may run.
 *
 * <p>Its state only moves forward, so that reports which come twice, late or out of order do no harm.
 */
public final class Placeholder {
    /** How far a placeholder has come. */
    enum State {
        SUBMITTED,
        ACCEPTED,
        RUNNING,
        /** Released or withdrawn by us; its end is not reported yet. */
        ENDING,
        ENDED
    }

    final long token;
    final Claim claim;
    final long submittedAt;
    Request request;
    State state = State.SUBMITTED;
    long startedAt = -1;
    long endedAt = -1;
    /** Free cores of each node while it runs. */
    final int[] freeCores;

    /** The positions of the tasks that it claims, as {@link Progress#positions} has them. */
    long[] claimed = {};

    int freeTotal;
    int runningTasks;

    Placeholder(long token, Request request, Claim claim, long submittedAt, int coresPerNode) {
        this.token = token;
        this.request = request;
        this.claim = claim;
        this.submittedAt = submittedAt;
        freeCores = new int[request.units()];
        Arrays.fill(freeCores, coresPerNode);
        freeTotal = request.units() * coresPerNode;
    }

    public long token() {
        return token;
    }

    public Request request() {
        return request;
    }

    public Claim claim() {
        return claim;
    }

    public long submittedAt() {
        return submittedAt;
    }

    public boolean isQueued() {
        return state == State.SUBMITTED || state == State.ACCEPTED;
    }

    public boolean isRunning() {
        return state == State.RUNNING;
    }

    /** When it started; −1 if it has not. */
    public long startedAt() {
        return startedAt;
    }

    /** When its walltime is over, once it runs. */
    public long limit() {
        return startedAt + request.walltime();
    }
}
