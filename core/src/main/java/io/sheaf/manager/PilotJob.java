package io.sheaf.manager;

import io.sheaf.workflow.Resources;
import java.util.Arrays;

/**
 * A batch job of ours: nodes × walltime, and the tasks that it may run.
 *
 * <p>Its state only moves forward, and so does that of each of its nodes, so that reports which come twice, late or out of order do no harm.
 */
public final class PilotJob {
    /** How far a pilot job has come. */
    enum State {
        SUBMITTED,
        ACCEPTED,
        RUNNING,
        /** Withdrawn by us; its end is not reported yet. */
        CANCELLED,
        /** Released by us; its end is not reported yet. */
        RELEASED
    }

    /** In place of a node's free cores: it has not come up yet. */
    private static final int NOT_UP = -1;

    /** In place of a node's free cores: it is gone. */
    private static final int GONE = -2;

    private static final int EVER_UP = 1;
    private static final int SHORTENED = 2;
    private static final int CLOSING = 4;
    private static final int DRAINING = 8;
    private static final int LATE = 16;

    final long token;
    final Claim claim;
    final long submittedAt;
    Request request;
    State state = State.SUBMITTED;
    long startedAt = -1;
    /** Free cores of each node while it is up; negative otherwise. */
    final int[] freeCores;

    /** Free GPUs of each node that is up. */
    final int[] freeGpus;

    /** Cores that tasks share. */
    final SharedCores shared = new SharedCores();

    /** How many brief tasks run on each node. */
    final int[] briefOn;

    /** How many tasks wait for a core on each node. */
    final int[] aheadOn;

    /** The positions of the tasks that it claims, as {@link ReadyTasks#positions} has them. */
    long[] claimed = {};

    int freeTotal;
    int runningTasks;
    int lostNodes;
    boolean everUp;
    boolean shortened;
    /** Whether it takes no more tasks, since its end is near. */
    boolean closing;
    /** Whether it takes no more tasks, since the strategy wants its nodes to be given back. */
    boolean draining;
    /** Since when it has had nothing to do and is kept all the same; −1 if it is not. */
    long idleSince = -1;
    /** How long it was kept so before, in milliseconds. */
    long idled;
    /** Whether a task that was expected to be brief was not, so that no task waits for another one any more. */
    boolean late;

    PilotJob(long token, Request request, Claim claim, long submittedAt) {
        this.token = token;
        this.request = request;
        this.claim = claim;
        this.submittedAt = submittedAt;
        freeCores = new int[request.units()];
        freeGpus = new int[request.units()];
        briefOn = new int[request.units()];
        aheadOn = new int[request.units()];
        Arrays.fill(freeCores, NOT_UP);
    }

    /** One that was as this says. */
    PilotJob(Checkpoint.Job as) {
        this(as.token(), as.request(), as.claim(), as.submittedAt());
        state = State.valueOf(as.state());
        startedAt = as.startedAt();
        for (int node = 0; node < freeCores.length; node++) {
            freeCores[node] = as.freeCores().get(node);
            freeGpus[node] = as.freeGpus().get(node);
            freeTotal += Math.max(0, freeCores[node]);
            lostNodes += freeCores[node] == GONE ? 1 : 0;
        }
        everUp = (as.flags() & EVER_UP) != 0;
        shortened = (as.flags() & SHORTENED) != 0;
        closing = (as.flags() & CLOSING) != 0;
        draining = (as.flags() & DRAINING) != 0;
        late = (as.flags() & LATE) != 0;
    }

    Checkpoint.Job checkpoint(Claim renumbered) {
        int flags = (everUp ? EVER_UP : 0)
                | (shortened ? SHORTENED : 0)
                | (closing ? CLOSING : 0)
                | (draining ? DRAINING : 0)
                | (late ? LATE : 0);
        return new Checkpoint.Job(
                token,
                request,
                renumbered,
                submittedAt,
                startedAt,
                state.name(),
                Arrays.stream(freeCores).boxed().toList(),
                Arrays.stream(freeGpus).boxed().toList(),
                flags);
    }

    /** A copy; what it claims is shared. */
    PilotJob fork() {
        PilotJob copy = new PilotJob(token, request, claim, submittedAt);
        copy.state = state;
        copy.startedAt = startedAt;
        System.arraycopy(freeCores, 0, copy.freeCores, 0, freeCores.length);
        System.arraycopy(freeGpus, 0, copy.freeGpus, 0, freeGpus.length);
        copy.shared.take(shared);
        System.arraycopy(briefOn, 0, copy.briefOn, 0, briefOn.length);
        copy.claimed = claimed;
        copy.freeTotal = freeTotal;
        copy.runningTasks = runningTasks;
        copy.lostNodes = lostNodes;
        copy.everUp = everUp;
        copy.shortened = shortened;
        copy.closing = closing;
        copy.draining = draining;
        copy.late = late;
        copy.idleSince = idleSince;
        copy.idled = idled;
        return copy;
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

    /** Whether the batch system has said that it is in its queue, and it has not started. */
    public boolean isAccepted() {
        return state == State.ACCEPTED;
    }

    public boolean isRunning() {
        return state == State.RUNNING;
    }

    /** Whether we have cancelled or released it, and it is not over yet as far as is known. */
    public boolean isEnding() {
        return state == State.CANCELLED || state == State.RELEASED;
    }

    /** Whether it takes no more tasks, because the strategy wanted it so. */
    public boolean isDraining() {
        return draining;
    }

    /** When it started; −1 if it has not. */
    public long startedAt() {
        return startedAt;
    }

    /** When its walltime is over, once it runs. */
    public long limit() {
        return startedAt + request.walltime();
    }

    /** Attempts that run in it, as far as is known. */
    public int runningTasks() {
        return runningTasks;
    }

    /** Whether it is kept though it has nothing to do, since more tasks are likely to come. */
    public boolean isKept() {
        return idleSince >= 0 && !isEnding();
    }

    /** It has something to do, or may have. */
    void needed(long now) {
        idled += idleSince < 0 ? 0 : now - idleSince;
        idleSince = -1;
    }

    void shorten(long walltime) {
        request = new Request(request.pool(), request.units(), walltime, request.notBefore(), request.afterToken());
        shortened = true;
    }

    boolean hasNode(int node) {
        return node >= 0 && node < freeCores.length;
    }

    /** Nodes that have not been lost. */
    int nodesLeft() {
        return freeCores.length - lostNodes;
    }

    void nodesUp(int cores, int gpus) {
        for (int node = 0; node < freeCores.length; node++) {
            nodeUp(node, cores, gpus);
        }
    }

    /** A node takes tasks; one that is up already or gone stays what it is. */
    void nodeUp(int node, int cores, int gpus) {
        if (freeCores[node] == NOT_UP) {
            freeCores[node] = cores;
            freeGpus[node] = gpus;
            freeTotal += cores;
            everUp = true;
        }
    }

    /** A node is gone; whether it was not before. */
    boolean nodeLost(int node) {
        int free = freeCores[node];
        if (free == GONE) {
            return false;
        }
        freeTotal -= Math.max(0, free);
        freeCores[node] = GONE;
        shared.lose(node);
        lostNodes++;
        return true;
    }

    /** Whether a node is up and has free what a task needs of it. */
    boolean has(int node, Resources needed) {
        boolean cores =
                freeCores[node] >= needed.cores() || (needed.isShare() && shared.fitting(node, needed.share()) >= 0);
        return cores && freeGpus[node] >= needed.gpus();
    }

    /** Whether a task of any kind might find a free core, or a part of one. */
    boolean hasRoom() {
        return freeTotal > 0 || shared.room() > 0;
    }

    /** What a task needs of a node is not free any more; returns which shared core it has, {@link SharedCores#NONE} if it shares none. */
    int take(int node, Resources needed) {
        freeGpus[node] -= needed.gpus();
        int core = SharedCores.NONE;
        if (needed.isShare()) {
            core = shared.fitting(node, needed.share());
            if (core >= 0) {
                shared.add(node, core, needed.share());
                return core;
            }
            core = shared.unused(node);
            shared.add(node, core, needed.share());
        }
        freeCores[node] -= needed.cores();
        freeTotal -= needed.cores();
        return core;
    }

    /** What a task had of a node, or of a shared core of it, comes back, unless the node is gone. */
    void free(int node, int core, Resources needed) {
        if (freeCores[node] == GONE) {
            return;
        }
        freeGpus[node] += needed.gpus();
        if (!needed.isShare() || shared.remove(node, core, needed.share())) {
            freeCores[node] += needed.cores();
            freeTotal += needed.cores();
        }
    }

    void describe(StringBuilder text) {
        text.append(token).append(' ').append(state).append(' ').append(request).append(' ');
        text.append(claim)
                .append(' ')
                .append(submittedAt)
                .append(' ')
                .append(startedAt)
                .append(' ');
        text.append(Arrays.toString(freeCores)).append(' ').append(freeTotal).append(' ');
        text.append(Arrays.toString(freeGpus)).append(' ');
        text.append(runningTasks).append(' ').append(lostNodes).append(' ');
        text.append(everUp).append(shortened).append(closing).append(draining);
        shared.describe(text);
        text.append(idleSince >= 0 || idled > 0 ? " idle " + idleSince + " " + idled : "");
        text.append(late ? " late\n" : "\n");
    }
}
