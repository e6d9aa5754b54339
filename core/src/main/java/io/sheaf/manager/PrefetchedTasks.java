package io.sheaf.manager;

import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Brief tasks that are sent to nodes before a core is free, so that no core waits for the manager between two of them.
 *
 * <p>As many wait on a node as brief ones run there, each for one core; when one of these ends, the one that has waited for the longest time takes its place, which
 * its agent knows by itself. A task that turns out not to be brief would make another one wait that could run elsewhere: what has waited for too long is told to end, is ready
 * again, and in that pilot job none waits any more.
 */
final class PrefetchedTasks {
    /** A task waits for too long after this multiple of the brief time. */
    private static final int PATIENCE = 4;

    private final long brief;
    private final Map<Integer, RunningAttempt> waiting = new LinkedHashMap<>();

    /**
     * None waits.
     *
     * @param brief the longest time that is brief, in milliseconds; with 0 none ever waits
     */
    PrefetchedTasks(long brief) {
        this.brief = brief;
    }

    /** For forks: no more tasks are prefetched. */
    static PrefetchedTasks none() {
        return new PrefetchedTasks(0);
    }

    boolean isOn() {
        return brief > 0;
    }

    /** Whether a task is expected to take little time, and needs no more than any core. */
    boolean isBrief(Workflow workflow, int task) {
        long micros = workflow.timeMicros(task);
        if (micros <= 0 || micros > brief * 1000) {
            return false;
        }
        Resources needed = workflow.resources(task);
        return needed.cores() == 1 && !needed.isShare() && needed.nodes() == 1 && needed.gpus() == 0;
    }

    /** Whether what ends by then, if it need not wait, ends before the walltime if it waits. */
    boolean isInTime(PilotJob p, long end) {
        return end + PATIENCE * brief <= p.limit();
    }

    /** A node, this one or a later one, on which one more may wait; −1 if there is none. */
    int node(PilotJob p, int from) {
        for (int node = from; node < p.briefOn.length && !p.late; node++) {
            if (p.aheadOn[node] < p.briefOn[node]) {
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

    /** It waits no more. */
    void remove(int task, RunningAttempt attempt) {
        attempt.ahead = false;
        attempt.in.aheadOn[attempt.nodes[0]]--;
        waiting.remove(task);
    }

    /** The task that has waited for the longest time on a node; −1 if none waits. */
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

    /** Tasks that wait, in the order in which they were bound. */
    List<Integer> tasks() {
        return List.copyOf(waiting.keySet());
    }

    /** Tells those to end that have waited for too long; returns when another one will have. */
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
