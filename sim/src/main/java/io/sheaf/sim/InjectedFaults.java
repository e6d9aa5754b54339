package io.sheaf.sim;

import io.sheaf.batch.Pools;
import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.random.RandomStream;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The sampled faults of a simulated run with {@link Faults}: independent for each pilot job and attempt, whatever the order. */
final class InjectedFaults {
    /** Stands for all nodes of a pilot job. */
    static final int ALL = -1;

    /** A pilot job is preempted, or it or a node of it is lost. */
    record InjectedFault(long at, long token, int node, Event.End end) {}

    private final Faults faults;
    private final Pools pools;
    private final long begin;
    private final RandomStream random;
    private final PriorityQueue<InjectedFault> coming = new PriorityQueue<>(Comparator.comparingLong(InjectedFault::at)
            .thenComparingLong(InjectedFault::token)
            .thenComparingInt(InjectedFault::node));
    private final Map<Long, BitSet> lostNodes = new HashMap<>();
    private final Map<Integer, int[]> nodesOfTask = new HashMap<>();

    /**
     * The faults of a run.
     *
     * @param pools of the cluster, some of which may be preemptible
     * @param begin the start of the run, for which preemptions are sampled
     */
    InjectedFaults(Faults faults, Pools pools, long begin) {
        this.faults = faults;
        this.pools = pools;
        this.begin = begin;
        random = new RandomStream(faults.seed());
    }

    boolean refuses(long token) {
        return random.split("refused").split(token).chance(faults.refuse());
    }

    boolean isSilent(long token) {
        return random.split("silent").split(token).chance(faults.silent());
    }

    void submitted(long token, Request request, long now) {
        RandomStream own = random.split("lost").split(token);
        if (own.chance(faults.job())) {
            coming.add(new InjectedFault(now + 1 + own.nextLong(2 * request.walltime()), token, ALL, Event.End.LOST));
        }
    }

    void started(long token, Request request, long now) {
        RandomStream own = random.split("nodes").split(token);
        for (int node = 0; node < request.units(); node++) {
            if (own.chance(faults.node())) {
                coming.add(new InjectedFault(now + 1 + own.nextLong(request.walltime()), token, node, Event.End.LOST));
            }
        }
        if (request.pool() != Pools.ANY && pools.pool(request.pool()).isPreemptible()) {
            double after = random.split("preempted").split(begin).split(token).exponential((double)
                    pools.pool(request.pool()).preempted());
            coming.add(new InjectedFault(now + 1 + (long) after, token, ALL, Event.End.PREEMPTED));
        }
    }

    /** The duration of an attempt that would take {@code millis} without a fault. */
    long lasts(int task, int attempt, long millis) {
        RandomStream own = random.split("task").split(task).split(attempt);
        return own.chance(faults.task()) ? (long) (millis * own.nextDouble()) : millis;
    }

    boolean fails(int task, int attempt) {
        return random.split("task").split(task).split(attempt).chance(faults.task());
    }

    void taskStarted(int task, int[] nodes) {
        nodesOfTask.put(task, nodes);
    }

    /** Whether the last started attempt of a task runs on this node. */
    boolean isOn(int task, int node) {
        for (int one : nodesOfTask.getOrDefault(task, new int[0])) {
            if (one == node) {
                return true;
            }
        }
        return false;
    }

    boolean isLost(long token, int[] nodes) {
        BitSet lost = lostNodes.get(token);
        for (int node : nodes) {
            if (lost != null && lost.get(node)) {
                return true;
            }
        }
        return false;
    }

    void lose(long token, int node) {
        lostNodes.computeIfAbsent(token, t -> new BitSet()).set(node);
    }

    /** The instant of the next fault; {@link Long#MAX_VALUE} if there is none. */
    long next() {
        InjectedFault first = coming.peek();
        return first == null ? Long.MAX_VALUE : first.at;
    }

    /** The next fault that is due, or null. */
    @Nullable
    InjectedFault happen(long now) {
        InjectedFault first = coming.peek();
        return first == null || first.at > now ? null : coming.poll();
    }
}
