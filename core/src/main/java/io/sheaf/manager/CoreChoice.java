package io.sheaf.manager;

import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Variants;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The choice of cores for moldable tasks in one running pilot job at one instant, by the rule of {@link Molding}. */
final class CoreChoice {
    /** The expected end of an attempt in this pilot job. */
    private record End(long at, RunningAttempt attempt) {}

    private final Molding molding;
    private final ManagedRun run;
    private final PilotJob in;
    private final long now;
    /** Of this pilot job, ascending. */
    private final List<End> ends = new ArrayList<>();
    /** Whether nodes of this pilot job that are not up yet are expected at any moment. */
    private final boolean connecting;
    /** The nodes of this pilot job that are up or expected. */
    private int usable;

    /** The cores of all running pilot jobs. */
    private long capacity;
    /** Those that are in use. */
    private long used;
    /** The time within which the workflow should end: the longest path, or the work divided by all cores. */
    private double timeLeft;
    /** The weights of ready tasks, and of what is left of running ones. */
    private double ready;

    private double busy;

    CoreChoice(Molding molding, ManagedRun run, PilotJob in) {
        this.molding = molding;
        this.run = run;
        this.in = in;
        now = run.now;
        connecting = in.isConnecting(now);
        for (int node = 0; node < in.freeCores.length; node++) {
            usable += in.freeCores[node] >= 0 || (connecting && in.isNodeConnecting(node)) ? 1 : 0;
        }
        for (PilotJob p : run.pilotJobs) {
            if (p.isRunning() && !p.draining && !p.closing) {
                capacity += p.freeTotal + (p.isConnecting(now) ? (long) p.connectingNodes() * run.coresPerNode() : 0);
            }
        }
        for (int task = run.nextRunning(0); task >= 0; task = run.nextRunning(task + 1)) {
            RunningAttempt attempt = run.binding.running(task);
            if (attempt != null && !attempt.ahead) {
                capacity += attempt.in.draining || attempt.in.closing ? 0 : cores(attempt);
                timeLeft = Math.max(timeLeft, (double) molding.path(task, leftOf(task, attempt)));
            }
        }
        timeLeft = Math.max(timeLeft, (double) run.progress.remainingWork / Math.max(1, capacity));
        for (int task = run.nextReady(0); task >= 0; task = run.nextReady(task + 1)) {
            timeLeft = Math.max(timeLeft, (double) molding.path(task));
        }
        for (int task = run.nextReady(0); task >= 0; task = run.nextReady(task + 1)) {
            ready += weight(task);
        }
        for (int task = run.nextRunning(0); task >= 0; task = run.nextRunning(task + 1)) {
            RunningAttempt attempt = run.binding.running(task);
            if (attempt != null && !attempt.ahead) {
                count(task, attempt);
            }
        }
    }

    private double weight(int task) {
        return molding.weight(task, molding.work(task), timeLeft);
    }

    private static int cores(RunningAttempt attempt) {
        return attempt.needs.cores() * attempt.needs.nodes();
    }

    private long endOf(int task, RunningAttempt attempt) {
        long due = attempt.startedAt + run.workflow.timeMillis(task, attempt.needs);
        // An overdue task is expected to need as long again as it is late.
        return Math.max(due, now + (now - due));
    }

    /** Core-milliseconds that are left of a running attempt. */
    private long leftOf(int task, RunningAttempt attempt) {
        return (endOf(task, attempt) - now) * cores(attempt);
    }

    void started(int task, RunningAttempt attempt) {
        ready -= weight(task);
        count(task, attempt);
    }

    private void count(int task, RunningAttempt attempt) {
        long end = endOf(task, attempt);
        busy += molding.weight(task, leftOf(task, attempt), timeLeft);
        used += attempt.in.draining || attempt.in.closing ? 0 : cores(attempt);
        if (attempt.in == in) {
            int at = ends.size();
            while (at > 0 && ends.get(at - 1).at > end) {
                at--;
            }
            ends.add(at, new End(end, attempt));
        }
    }

    /** When a task that waits for nodes to come up waits no longer; {@link Decision#NEVER} if none does. */
    long until() {
        return connecting ? in.startedAt + PilotJob.CONNECTING : Decision.NEVER;
    }

    boolean isFor(int task) {
        return molding.isMoldable(task);
    }

    /** The needs of an attempt on the cores and nodes of a variant. */
    static Resources on(Resources needed, Resources variant) {
        return needed.cores(variant.cores()).nodes(variant.nodes());
    }

    /**
     * The resources on which a ready task starts now; null if it waits.
     *
     * @param fits whether the pilot job has these resources free
     */
    @Nullable
    Resources of(int task, Predicate<Resources> fits) {
        Variants all = Objects.requireNonNull(run.workflow.variants(task));
        int first = molding.first(task);
        double each = Math.max(capacity / (ready + busy), (capacity - used) / ready);
        int limit = molding.upTo(task, each * weight(task)) - first;
        Resources best = null;
        long bestEnd = Long.MAX_VALUE;
        boolean inTime = false;
        int firstVariant = molding.minVariant(task, usable) - first;
        for (int v = firstVariant; v < all.size() && (v <= limit || !inTime); v++) {
            if (now + molding.scaled(task, first + v, run.progress.needs.room(task)) > in.limit()) {
                continue;
            }
            Resources needed = on(run.progress.needs.of(task), all.needs(v));
            boolean free = fits.test(needed);
            long start = free ? now : freeAt(needed);
            inTime |= start != Long.MAX_VALUE;
            long end = start == Long.MAX_VALUE ? start : start + all.micros(v) / 1000;
            if (end < bestEnd) {
                bestEnd = end;
                best = free ? needed : null;
            }
        }
        return inTime ? best : fewer(task, all, firstVariant, fits);
    }

    /** The most cores below the least ones on which a task starts now, where nodes have less than expected; null if it waits. */
    private @Nullable Resources fewer(int task, Variants all, int firstVariant, Predicate<Resources> fits) {
        for (int v = firstVariant - 1; v >= 0; v--) {
            Resources needed = on(run.progress.needs.of(task), all.needs(v));
            boolean inTime =
                    now + molding.scaled(task, molding.first(task) + v, run.progress.needs.room(task)) <= in.limit();
            if (inTime && fits.test(needed)) {
                return needed;
            }
        }
        return null;
    }

    /** When enough nodes have free cores; {@link Long#MAX_VALUE} if never. */
    private long freeAt(Resources needed) {
        int[] free = in.freeCores.clone();
        int found = 0;
        for (int node = 0; node < free.length; node++) {
            free[node] = connecting && in.isNodeConnecting(node) ? run.coresPerNode() : free[node];
            found += free[node] >= needed.cores() ? 1 : 0;
        }
        if (found >= needed.nodes()) {
            return now;
        }
        for (End end : ends) {
            for (int node : end.attempt.nodes) {
                boolean hadCores = free[node] >= needed.cores();
                free[node] += free[node] < 0 ? 0 : end.attempt.needs.cores();
                found += !hadCores && free[node] >= needed.cores() ? 1 : 0;
            }
            if (found >= needed.nodes()) {
                return end.at;
            }
        }
        return Long.MAX_VALUE;
    }
}
