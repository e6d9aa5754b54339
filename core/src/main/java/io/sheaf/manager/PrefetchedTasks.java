package io.sheaf.manager;

import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Short tasks that are sent to a node before a core is free, so that no core idles between two tasks.
 *
 * <p>At most as many tasks wait on a node as short tasks run there, each for one core. When one of these ends, the agent starts the task that has
 * waited longest. If a task is not short after all, the manager stops tasks that have waited too long. They become ready again, and that pilot job
 * prefetches no more.
 */
final class PrefetchedTasks {
    /** A task waits too long after this multiple of the limit for short tasks. */
    private static final int PATIENCE = 4;

    private final long brief;
    private final boolean countsMemory;
    private final Map<Integer, RunningAttempt> waiting = new LinkedHashMap<>();

    /**
     * Without tasks.
     *
     * @param brief the maximum run time of a short task, in milliseconds; 0 disables prefetching
     * @param countsMemory whether memory is counted: agents start a waiting task when a core is free, so it must need nothing else
     */
    PrefetchedTasks(long brief, boolean countsMemory) {
        this.brief = brief;
        this.countsMemory = countsMemory;
    }

    /** For forks: disables prefetching. */
    static PrefetchedTasks none() {
        return new PrefetchedTasks(0, false);
    }

    boolean isOn() {
        return brief > 0;
    }

    /** Whether a task is expected to be short and needs one core only. */
    boolean isBrief(Workflow workflow, int task) {
        long micros = workflow.timeMicros(task);
        if (micros <= 0 || micros > brief * 1000 || workflow.variants(task) != null) {
            return false;
        }
        Resources needed = workflow.resources(task);
        return needed.cores() == 1
                && !needed.isShare()
                && needed.nodes() == 1
                && needed.gpus() == 0
                && needed.named().size() == 0
                && (needed.memory() == 0 || !countsMemory);
    }

    /** Whether a task that would end at this instant without waiting ends before the walltime with waiting. */
    boolean isInTime(PilotJob p, long end) {
        return end + PATIENCE * brief <= p.limit();
    }

    /** The first node from this one on that can prefetch another task; −1 if there is none. */
    int node(PilotJob p, int from) {
        for (int node = from; node < p.briefOn.length && !p.late; node++) {
            if (p.aheadOn[node] < p.briefOn[node] && p.takesTasks(node)) {
                return node;
            }
        }
        return -1;
    }

    void add(int task, @Nullable RunningAttempt attempt) {
        if (attempt != null) {
            attempt.ahead = true;
            attempt.in.aheadOn[attempt.nodes[0]]++;
            waiting.put(task, attempt);
        }
    }

    /** Removes a task that no longer waits. */
    void remove(int task, RunningAttempt attempt) {
        attempt.ahead = false;
        attempt.in.aheadOn[attempt.nodes[0]]--;
        waiting.remove(task);
    }

    /** The task that has waited longest on a node; −1 if none waits. */
    int first(PilotJob p, int node) {
        if (p.aheadOn[node] > 0) {
            for (Map.Entry<Integer, RunningAttempt> entry : waiting.entrySet()) {
                RunningAttempt attempt = entry.getValue();
                if (attempt.in == p && attempt.nodes[0] == node) {
                    return entry.getKey();
                }
            }
        }
        return -1;
    }

    /** Waiting tasks, in binding order. */
    List<Integer> tasks() {
        return List.copyOf(waiting.keySet());
    }

    /** Stops tasks that have waited too long. Returns the instant at which the next one will have. */
    long recall(long now, Effects out) {
        long next = Decision.NEVER;
        for (Map.Entry<Integer, RunningAttempt> entry : waiting.entrySet()) {
            RunningAttempt attempt = entry.getValue();
            long until = attempt.startedAt + PATIENCE * brief;
            if (!attempt.recalled && brief > 0 && now >= until) {
                attempt.recalled = true;
                attempt.in.late = true;
                out.stop(attempt.in.token, entry.getKey(), attempt.number);
            } else if (!attempt.recalled && brief > 0) {
                next = Math.min(next, until);
            }
        }
        return next;
    }
}
