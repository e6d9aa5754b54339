package io.sheaf.manager;

import io.sheaf.manager.Placeholder.State;
import io.sheaf.predict.Estimator;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The application manager of Zhang, Koelbel and Cooper, "Batch queue resource scheduling for workflow applications" (CLUSTER 2009,
 * Fig. 3): reacts to events of placeholders and tasks, binds tasks to cores, and asks the strategy what to submit.
 *
 * <h2>How it works</h2>
 * {@link #on} takes in an event and binds tasks to cores that are free; {@link #settle} ends an instant: placeholders with nothing left
 * to do are released, and the strategy is asked if anything happened. What is to be done goes to {@link Effects}. It has no clock, no
 * thread and does no input or output, so the same code runs simulated and real.
 *
 * <h2>Late binding</h2>
 * A task is bound when a core of a started placeholder is free for it: the lowest in rank of the ready tasks that the placeholder claims, where the
 * claim says so only if it ends before the walltime. Binding never asks the strategy.
 *
 * <h2>Reports may be late, doubled or out of order</h2>
 * A placeholder's state only moves forward, and a task's end counts only for the attempt that runs. A placeholder that expired, was lost or
 * withdrawn gives its running tasks back: they are ready again and counted.
 */
public final class Manager implements View {
    /** A running attempt: where it runs, so that its cores come back. */
    private record Attempt(Placeholder in, int number, List<Integer> nodes) {}

    private static final int ANY_LEVEL = -1;

    private final Ranking ranking;
    private final Strategy strategy;
    private final Estimator estimator;
    private final Considered considered;
    private final int nodes;
    private final int coresPerNode;
    private final int cap;
    private final List<Placeholder> placeholders = new ArrayList<>();
    private final Map<Long, Placeholder> byToken = new HashMap<>();

    private Workflow workflow;
    private Progress progress;
    private @Nullable Attempt[] running;
    private Memo memo = Memo.NONE;
    private long now;
    private long nextToken = 1;
    private boolean changed = true;
    private int expiries;
    private int reruns;
    private int failures;

    /**
     * A run that has not begun.
     *
     * @param nodes the most nodes that a placeholder may have
     * @param cap the most placeholders in the batch system at once
     */
    public Manager(
            Workflow workflow,
            Ranking ranking,
            Strategy strategy,
            Estimator estimator,
            Considered considered,
            int nodes,
            int coresPerNode,
            int cap) {
        this.workflow = workflow;
        this.ranking = ranking;
        this.strategy = strategy;
        this.estimator = estimator;
        this.considered = considered;
        this.nodes = nodes;
        this.coresPerNode = coresPerNode;
        this.cap = cap;
        progress = new Progress(workflow, ranking);
        running = new Attempt[workflow.size()];
    }

    /** Takes in an event and binds what can be bound because of it. */
    public void on(Event event, Effects out) {
        now = Math.max(now, event.at());
        if (event instanceof Event.TaskEnded ended) {
            taskEnded(ended, out);
        } else if (event instanceof Event.Started started) {
            started(started, out);
        } else if (event instanceof Event.Ended ended) {
            ended(ended, out);
        } else if (event instanceof Event.Accepted accepted) {
            Placeholder p = byToken.get(accepted.token());
            if (p != null && p.state == State.SUBMITTED) {
                p.state = State.ACCEPTED;
            }
        } else if (event instanceof Event.Refused refused) {
            Placeholder p = byToken.get(refused.token());
            if (p != null && p.isQueued()) {
                leave(p, refused.at());
            }
        } else if (event instanceof Event.Grown grown) {
            grow(grown.larger(), out);
        } else {
            changed = true;
        }
    }

    /** Ends an instant: releases placeholders that have nothing left to do, and asks the strategy if anything happened. */
    public void settle(long at, Effects out) {
        now = Math.max(now, at);
        releaseIdle(out);
        if (!changed || isOver()) {
            return;
        }
        changed = false;
        considered.asked(now);
        Decision decision = strategy.decide(this, memo, estimator, considered);
        memo = decision.memo();
        for (Order order : decision.orders()) {
            carryOut(order, out);
        }
        if (decision.wakeAt() != Decision.NEVER) {
            out.wake(Math.max(now, decision.wakeAt()));
        }
    }

    /** Whether all tasks are done, or one has failed for good. */
    public boolean isOver() {
        return progress.unfinished() == 0 || failures > 0;
    }

    public boolean isFailed() {
        return failures > 0;
    }

    /** How many attempts were cut off and had to be made again. */
    public int reruns() {
        return reruns;
    }

    // --- events ---

    private void started(Event.Started event, Effects out) {
        Placeholder p = byToken.get(event.token());
        if (p == null || !p.isQueued()) {
            return;
        }
        p.state = State.RUNNING;
        p.startedAt = event.at();
        changed = true;
        fill(p, ANY_LEVEL, out);
        releaseIfIdle(p, out);
    }

    private void ended(Event.Ended event, Effects out) {
        Placeholder p = byToken.get(event.token());
        if (p == null) {
            return;
        }
        boolean cut = giveBack(p);
        if (event.how() == Event.End.EXPIRED && (cut || hasWork(p))) {
            expiries++;
        }
        leave(p, event.at());
        fillOthers(out);
    }

    private void leave(Placeholder p, long at) {
        p.state = State.ENDED;
        p.endedAt = at;
        byToken.remove(p.token);
        placeholders.remove(p);
        changed = true;
    }

    /** Running tasks of a placeholder that is over are ready again. */
    private boolean giveBack(Placeholder p) {
        boolean cut = false;
        for (int task = 0; p.runningTasks > 0 && task < running.length; task++) {
            Attempt attempt = running[task];
            if (attempt != null && attempt.in == p) {
                running[task] = null;
                p.runningTasks--;
                progress.lost(task);
                reruns++;
                cut = true;
            }
        }
        return cut;
    }

    private void taskEnded(Event.TaskEnded event, Effects out) {
        int task = event.task();
        Attempt attempt = running[task];
        if (attempt == null || attempt.number != event.attempt()) {
            return;
        }
        running[task] = null;
        Placeholder p = attempt.in;
        p.runningTasks--;
        int cores = workflow.resources(task).cores();
        for (int node : attempt.nodes) {
            p.freeCores[node] += cores;
            p.freeTotal += cores;
        }
        if (event.succeeded()) {
            progress.done(task);
        } else if (attempt.number <= workflow.retries(task)) {
            progress.lost(task);
            reruns++;
        } else {
            progress.failed(task);
            failures++;
        }
        changed = true;
        fill(p, p.claim.sameLevelFirst() ? workflow.level(task) : ANY_LEVEL, out);
        fillOthers(out);
        releaseIfIdle(p, out);
    }

    private void grow(Workflow larger, Effects out) {
        Progress grown = new Progress(progress, larger, ranking);
        @Nullable Attempt[] longer = new Attempt[larger.size()];
        System.arraycopy(running, 0, longer, 0, running.length);
        workflow = larger;
        progress = grown;
        running = longer;
        for (Placeholder p : placeholders) {
            p.claimed = progress.positions(p.claim.tasks());
        }
        changed = true;
        fillOthers(out);
    }

    // --- binding ---

    private void fillOthers(Effects out) {
        for (Placeholder p : placeholders) {
            if (p.isRunning() && p.freeTotal > 0) {
                fill(p, ANY_LEVEL, out);
            }
        }
    }

    /** Starts tasks in a placeholder as long as one fits, tasks of one level first if so wished. */
    private void fill(Placeholder p, int levelFirst, Effects out) {
        if (!p.isRunning() || now >= p.limit()) {
            return;
        }
        while (p.freeTotal > 0) {
            int task = levelFirst >= 0 ? bestOfLevel(p, levelFirst) : -1;
            task = task >= 0 ? task : best(p);
            if (task < 0) {
                return;
            }
            bind(p, task, out);
        }
    }

    private int best(Placeholder p) {
        int best = -1;
        int last = Math.min(p.claim.lastLevel(), workflow.levels() - 1);
        for (int level = p.claim.firstLevel(); level <= last; level++) {
            int task = bestOfLevel(p, level);
            if (task >= 0 && (best < 0 || progress.rank(task) < progress.rank(best))) {
                best = task;
            }
        }
        return best;
    }

    private int bestOfLevel(Placeholder p, int level) {
        Claim claim = p.claim;
        if (level < claim.firstLevel() || level > claim.lastLevel() || progress.readyIn(level) == 0) {
            return -1;
        }
        int at = progress.before(level);
        while ((at = progress.nextReady(level, at, p.claimed)) >= 0) {
            int task = progress.taskAt(at);
            boolean inTime = !claim.onlyIfFits() || now + millis(task) <= p.limit();
            if (inTime && fits(p, task)) {
                return task;
            }
        }
        return -1;
    }

    /** Whether as many nodes have as many free cores as the task needs. */
    private boolean fits(Placeholder p, int task) {
        Resources needed = workflow.resources(task);
        if (needed.cores() * (long) needed.nodes() > p.freeTotal) {
            return false;
        }
        int found = 0;
        for (int node = 0; node < p.freeCores.length && found < needed.nodes(); node++) {
            found += p.freeCores[node] >= needed.cores() ? 1 : 0;
        }
        return found == needed.nodes();
    }

    /** Starts a task that fits, on the first nodes with enough free cores. */
    private void bind(Placeholder p, int task, Effects out) {
        Resources needed = workflow.resources(task);
        int[] on = new int[needed.nodes()];
        int found = 0;
        for (int node = 0; found < on.length; node++) {
            if (p.freeCores[node] >= needed.cores()) {
                p.freeCores[node] -= needed.cores();
                p.freeTotal -= needed.cores();
                on[found++] = node;
            }
        }
        progress.take(task);
        p.runningTasks++;
        running[task] = new Attempt(
                p, progress.attempts(task), Arrays.stream(on).boxed().toList());
        out.start(p.token, on, task, progress.attempts(task));
    }

    private long millis(int task) {
        return (Math.max(0, workflow.timeMicros(task)) + 999) / 1000;
    }

    // --- decisions ---

    /** A placeholder may have become idle because another one took what it claims. */
    private void releaseIdle(Effects out) {
        for (int i = 0; i < placeholders.size(); i++) {
            releaseIfIdle(placeholders.get(i), out);
        }
    }

    private void releaseIfIdle(Placeholder p, Effects out) {
        if (p.isRunning() && p.runningTasks == 0 && !hasWork(p)) {
            p.state = State.ENDING;
            out.release(p.token);
        }
    }

    /** Whether a task that a placeholder claims is neither done nor running. */
    private boolean hasWork(Placeholder p) {
        Claim claim = p.claim;
        TaskGroup tasks = claim.tasks();
        for (int i = 0; i < tasks.size(); i++) {
            if (!progress.isDone(tasks.task(i)) && !progress.isRunning(tasks.task(i))) {
                return true;
            }
        }
        if (!tasks.isAll()) {
            return false;
        }
        int last = Math.min(claim.lastLevel(), workflow.levels() - 1);
        for (int level = claim.firstLevel(); level <= last; level++) {
            if (progress.idleIn(level) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Does what the strategy ordered; what has become impossible is dropped. */
    private void carryOut(Order order, Effects out) {
        if (order instanceof Order.Submit submit) {
            if (placeholders.size() < cap) {
                long token = nextToken++;
                Placeholder p = new Placeholder(token, submit.request(), submit.claim(), now, coresPerNode);
                p.claimed = progress.positions(p.claim.tasks());
                placeholders.add(p);
                byToken.put(token, p);
                out.submit(token, submit.request());
            }
        } else if (order instanceof Order.Withdraw withdraw) {
            Placeholder p = byToken.get(withdraw.token());
            if (p != null && (p.isQueued() || p.isRunning())) {
                giveBack(p);
                p.state = State.ENDING;
                out.withdraw(p.token);
            }
        } else if (order instanceof Order.Shorten shorten) {
            Placeholder p = byToken.get(shorten.token());
            if (p != null && p.isQueued() && shorten.walltime() < p.request.walltime()) {
                Request r = p.request;
                p.request = new Request(r.pool(), r.units(), shorten.walltime(), r.notBefore(), r.afterToken());
                out.shorten(p.token, shorten.walltime());
            }
        }
    }

    // --- the view ---

    @Override
    public long now() {
        return now;
    }

    @Override
    public Workflow workflow() {
        return workflow;
    }

    @Override
    public int nodes() {
        return nodes;
    }

    @Override
    public int coresPerNode() {
        return coresPerNode;
    }

    @Override
    public int cap() {
        return cap;
    }

    @Override
    public int placeholders() {
        return placeholders.size();
    }

    @Override
    public Placeholder placeholder(int index) {
        return placeholders.get(index);
    }

    @Override
    public boolean isDone(int task) {
        return progress.isDone(task);
    }

    @Override
    public boolean isReady(int task) {
        return progress.isReady(task);
    }

    @Override
    public int nextReady(int task) {
        return progress.nextReadyTask(task);
    }

    @Override
    public boolean isRunning(int task) {
        return progress.isRunning(task);
    }

    @Override
    public int unfinished(int level) {
        return progress.unfinishedIn(level);
    }

    @Override
    public int firstUnfinishedLevel() {
        return progress.firstUnfinishedLevel();
    }

    @Override
    public int expiries() {
        return expiries;
    }
}
