package io.sheaf.manager;

import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pilot job: nodes × walltime, and the tasks that it may run.
 *
 * <p>Its state and those of its nodes only move forward, so duplicate, late or reordered events do no harm.
 */
public final class PilotJob {
    /** The state of a pilot job. */
    enum State {
        SUBMITTED,
        ACCEPTED,
        RUNNING,
        /** Cancelled by the manager; its end is not reported yet. */
        CANCELLED,
        /** Released by the manager; its end is not reported yet. */
        RELEASED
    }

    /** The time in which the agents of a job that has started are expected to connect, in milliseconds. */
    static final long CONNECTING = 60_000;

    /** Value of {@link #freeCores} for a node that has not come up. */
    private static final int NOT_UP = -1;

    /** Value of {@link #freeCores} for a lost node. */
    private static final int LOST = -2;

    private static final int EVER_UP = 1;
    private static final int SHORTENED = 2;
    private static final int CLOSING = 4;
    private static final int DRAINING = 8;
    private static final int LATE = 16;
    private static final int PREEMPTED = 32;

    final long token;
    final Claim claim;
    final long submittedAt;
    Request request;
    State state = State.SUBMITTED;
    long startedAt = -1;
    /** Free cores of each node while it is up; negative otherwise. */
    int[] freeCores;

    /** Free GPUs of each node that is up. */
    int[] freeGpus;

    /** Free memory of each node that is up, in bytes; empty if memory is counted on no node. */
    private long[] freeMemory = {};

    /** Free amounts of the named resources of {@link #limits} for each node that is up; empty if there are none. */
    private long[][] freeNamed = {};

    /** The named resources of nodes. */
    private NamedAmounts limits = NamedAmounts.NONE;

    /** Cores that tasks share. */
    final SharedCores shared = new SharedCores();

    /** The number of short tasks that run on each node. */
    int[] briefOn;

    /** The number of prefetched tasks that wait on each node. */
    int[] aheadOn;

    /** The positions of the claimed tasks, as {@link ReadyTasks#positions} returns them. */
    long[] claimed = {};

    /** The host of each node; null where it is unknown. */
    private @Nullable String[] hosts;

    /** Nodes that take no tasks because the run avoids their hosts. */
    private boolean[] avoided;

    int avoidedNodes;

    int freeTotal;
    int runningTasks;
    int lostNodes;
    boolean everUp;
    boolean shortened;
    /** Whether it takes no more tasks because its walltime is about to expire. */
    boolean closing;
    /** Whether the batch system is ending it before its walltime. */
    boolean preempted;
    /** Whether it takes no more tasks because the strategy drains it. */
    boolean draining;
    /** Since when it has been idle and kept; −1 if it is not. */
    long idleSince = -1;
    /** The total of earlier idle times, in milliseconds. */
    long idled;
    /** Whether a task ran longer than expected, so that no more tasks are prefetched. */
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
        hosts = new String[request.units()];
        avoided = new boolean[request.units()];
        Arrays.fill(freeCores, NOT_UP);
    }

    PilotJob(Checkpoint.PilotJobState saved, NamedAmounts named) {
        this(saved.token(), saved.request(), saved.claim(), saved.submittedAt());
        count(named);
        state = State.valueOf(saved.state());
        startedAt = saved.startedAt();
        for (int node = 0; node < freeCores.length; node++) {
            freeCores[node] = saved.freeCores().get(node);
            freeGpus[node] = saved.freeGpus().get(node);
            freeTotal += Math.max(0, freeCores[node]);
            lostNodes += freeCores[node] == LOST ? 1 : 0;
        }
        everUp = (saved.flags() & EVER_UP) != 0;
        shortened = (saved.flags() & SHORTENED) != 0;
        closing = (saved.flags() & CLOSING) != 0;
        draining = (saved.flags() & DRAINING) != 0;
        late = (saved.flags() & LATE) != 0;
        preempted = (saved.flags() & PREEMPTED) != 0;
        int width = 1 + named.size();
        for (int i = 0; i < saved.free().size(); i++) {
            if (i % width == 0) {
                memory(i / width, saved.free().get(i));
            } else {
                freeNamed[i / width][i % width - 1] = saved.free().get(i);
            }
        }
    }

    /** The free memory and named resources of each node for a checkpoint; empty if they are not counted. */
    private List<Long> free() {
        List<Long> all = new ArrayList<>();
        for (int node = 0; node < freeCores.length && (freeMemory.length > 0 || limits.size() > 0); node++) {
            all.add(freeMemory.length == 0 ? Resources.UNCOUNTED : freeMemory[node]);
            for (int i = 0; i < limits.size(); i++) {
                all.add(freeNamed[node][i]);
            }
        }
        return all;
    }

    Checkpoint.PilotJobState checkpoint(Claim renumbered) {
        int flags = (everUp ? EVER_UP : 0)
                | (shortened ? SHORTENED : 0)
                | (closing ? CLOSING : 0)
                | (draining ? DRAINING : 0)
                | (late ? LATE : 0)
                | (preempted ? PREEMPTED : 0);
        return new Checkpoint.PilotJobState(
                token,
                request,
                renumbered,
                submittedAt,
                startedAt,
                state.name(),
                Arrays.stream(freeCores).boxed().toList(),
                Arrays.stream(freeGpus).boxed().toList(),
                flags,
                free());
    }

    /** A copy that shares the claim. */
    PilotJob fork() {
        PilotJob copy = new PilotJob(token, request, claim, submittedAt);
        copy.state = state;
        copy.startedAt = startedAt;
        System.arraycopy(freeCores, 0, copy.freeCores, 0, freeCores.length);
        System.arraycopy(freeGpus, 0, copy.freeGpus, 0, freeGpus.length);
        copy.freeMemory = freeMemory.length == 0 ? freeMemory : freeMemory.clone();
        copy.count(limits);
        for (int node = 0; node < freeNamed.length; node++) {
            copy.freeNamed[node] = freeNamed[node].clone();
        }
        copy.shared.copyFrom(shared);
        System.arraycopy(briefOn, 0, copy.briefOn, 0, briefOn.length);
        System.arraycopy(avoided, 0, copy.avoided, 0, avoided.length);
        copy.avoidedNodes = avoidedNodes;
        copy.claimed = claimed;
        copy.freeTotal = freeTotal;
        copy.runningTasks = runningTasks;
        copy.lostNodes = lostNodes;
        copy.everUp = everUp;
        copy.shortened = shortened;
        copy.closing = closing;
        copy.draining = draining;
        copy.late = late;
        copy.preempted = preempted;
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

    /** Whether the batch system has accepted it and it has not started. */
    public boolean isAccepted() {
        return state == State.ACCEPTED;
    }

    public boolean isRunning() {
        return state == State.RUNNING;
    }

    /** Whether the manager has cancelled or released it and its end is not reported yet. */
    public boolean isEnding() {
        return state == State.CANCELLED || state == State.RELEASED;
    }

    public boolean isDraining() {
        return draining;
    }

    /** When it started; −1 if it has not. */
    public long startedAt() {
        return startedAt;
    }

    /** The instant at which its walltime expires, once it runs. */
    public long limit() {
        return startedAt + request.walltime();
    }

    /** Attempts that run in it. */
    public int runningTasks() {
        return runningTasks;
    }

    /** Whether it is idle and kept because more tasks are expected. */
    public boolean isKept() {
        return idleSince >= 0 && !isEnding();
    }

    /** It has work, or may have. */
    void needed(long now) {
        idled += idleSince < 0 ? 0 : now - idleSince;
        idleSince = -1;
    }

    void shorten(long walltime) {
        request = request.lasting(walltime);
        shortened = true;
    }

    /** Restricts it to what the batch system granted of the request. Call before a node beyond it is up. */
    void grant(int units, long walltime) {
        request = request.on(units).lasting(walltime);
        freeCores = Arrays.copyOf(freeCores, units);
        freeGpus = Arrays.copyOf(freeGpus, units);
        freeMemory = freeMemory.length == 0 ? freeMemory : Arrays.copyOf(freeMemory, units);
        freeNamed = freeNamed.length == 0 ? freeNamed : Arrays.copyOf(freeNamed, units);
        briefOn = Arrays.copyOf(briefOn, units);
        aheadOn = Arrays.copyOf(aheadOn, units);
        hosts = Arrays.copyOf(hosts, units);
        avoided = Arrays.copyOf(avoided, units);
    }

    boolean hasNode(int node) {
        return node >= 0 && node < freeCores.length;
    }

    /** Nodes that are neither lost nor avoided. */
    int nodesLeft() {
        return freeCores.length - lostNodes - avoidedNodes;
    }

    /** The host of a node; null if it is unknown. */
    public @Nullable String host(int node) {
        return hosts[node];
    }

    void named(int node, String host) {
        hosts[node] = host.isEmpty() ? null : host;
    }

    boolean isUp(int node) {
        return freeCores[node] >= 0;
    }

    /** Whether a node is up and not avoided. */
    boolean takesTasks(int node) {
        return isUp(node) && !avoided[node];
    }

    /** Lets a node take tasks or not. A lost node takes none either way. */
    void avoid(int node, boolean avoid) {
        boolean now = avoid && freeCores[node] != LOST;
        avoidedNodes += (now ? 1 : 0) - (avoided[node] ? 1 : 0);
        avoided[node] = now;
    }

    void nodesUp(Resources resources) {
        for (int node = 0; node < freeCores.length; node++) {
            nodeUp(node, resources);
        }
    }

    /** Marks a node as up, unless it is up already or lost. */
    void nodeUp(int node, Resources resources) {
        if (freeCores[node] == NOT_UP) {
            freeCores[node] = resources.cores();
            freeGpus[node] = resources.gpus();
            memory(node, resources.memory());
            for (int i = 0; i < limits.size(); i++) {
                freeNamed[node][i] = resources.named().amount(limits.name(i));
            }
            freeTotal += resources.cores();
            everUp = true;
        }
    }

    /** Counts these named resources on each node. Call before a node is up. */
    void count(NamedAmounts named) {
        limits = named;
        if (named.size() > 0) {
            freeNamed = new long[freeCores.length][named.size()];
        }
    }

    private void memory(int node, long bytes) {
        if (freeMemory.length == 0 && bytes != Resources.UNCOUNTED) {
            freeMemory = new long[freeCores.length];
            Arrays.fill(freeMemory, Resources.UNCOUNTED);
        }
        if (freeMemory.length > 0) {
            freeMemory[node] = bytes;
        }
    }

    /** Whether all nodes that are not lost are up. */
    boolean isAllUp() {
        for (int free : freeCores) {
            if (free == NOT_UP) {
                return false;
            }
        }
        return true;
    }

    /** Whether a node is neither up nor lost. */
    boolean isNodeConnecting(int node) {
        return freeCores[node] == NOT_UP;
    }

    /** Whether it started a moment ago and some of its nodes are still to come up. */
    public boolean isConnecting(long now) {
        return isRunning() && now < startedAt + CONNECTING && !isAllUp();
    }

    /** The number of nodes that are neither up nor lost. */
    public int connectingNodes() {
        int count = 0;
        for (int node = 0; node < freeCores.length; node++) {
            count += isNodeConnecting(node) ? 1 : 0;
        }
        return count;
    }

    /** Marks a node as lost. Returns whether it was not before. */
    boolean nodeLost(int node) {
        int free = freeCores[node];
        if (free == LOST) {
            return false;
        }
        avoid(node, false);
        freeTotal -= Math.max(0, free);
        freeCores[node] = LOST;
        shared.lose(node);
        lostNodes++;
        return true;
    }

    /** Whether a node is up and has the free resources that a task needs of it. */
    boolean has(int node, Resources needed) {
        if (avoided[node]) {
            return false;
        }
        boolean cores =
                freeCores[node] >= needed.cores() || (needed.isShare() && shared.fitting(node, needed.share()) >= 0);
        return cores
                && freeGpus[node] >= needed.gpus()
                && (freeMemory.length == 0 || freeMemory[node] >= needed.memory())
                && (limits.size() == 0 || hasNamed(node, needed.named()));
    }

    private boolean hasNamed(int node, NamedAmounts needed) {
        for (int i = 0; i < needed.size(); i++) {
            int limit = limits.index(needed.name(i));
            if (limit >= 0 && freeNamed[node][limit] < needed.amount(i)) {
                return false;
            }
        }
        return true;
    }

    /** Allocates or, with sign −1, frees the memory, GPUs and named resources of a task on a node. */
    private void count(int node, Resources needed, int sign) {
        freeGpus[node] -= sign * needed.gpus();
        if (freeMemory.length > 0 && freeMemory[node] != Resources.UNCOUNTED) {
            freeMemory[node] -= sign * needed.memory();
        }
        for (int i = 0; limits.size() > 0 && i < needed.named().size(); i++) {
            int limit = limits.index(needed.named().name(i));
            if (limit >= 0) {
                freeNamed[node][limit] -= sign * needed.named().amount(i);
            }
        }
    }

    /** Whether any node has a free core, or a part of one. */
    boolean hasRoom() {
        return freeTotal > 0 || shared.room > 0;
    }

    /** Allocates a task's resources on a node. Returns its shared core, or {@link SharedCores#NONE}. */
    int allocate(int node, Resources needed) {
        count(node, needed, 1);
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

    /** Frees a task's resources on a node, unless the node is lost. */
    void free(int node, int core, Resources needed) {
        if (freeCores[node] == LOST) {
            return;
        }
        count(node, needed, -1);
        if (!needed.isShare() || shared.remove(node, core, needed.share())) {
            freeCores[node] += needed.cores();
            freeTotal += needed.cores();
        }
    }
}
