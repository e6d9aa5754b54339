package io.sheaf.manager;

import io.sheaf.manager.Binding.Attempt;
import io.sheaf.manager.Placeholder.State;
import io.sheaf.predict.Estimator;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The application manager of Zhang, Koelbel and Cooper, "Batch queue resource scheduling for workflow applications" (CLUSTER 2009,
 * Fig. 3): reacts to events of placeholders and tasks, binds tasks to cores, and asks the strategy what to submit.
 *
 * <h2>How it works</h2>
 * {@link #on} takes in an event and binds tasks to cores that are free ({@link Binding}); {@link #settle} ends an instant: placeholders with
 * nothing left to do are released, and the strategy is asked if anything happened. What is to be done goes to {@link Effects}. It has no clock,
 * no thread and does no input or output, so the same code runs simulated and real.
 *
 * <h2>Reports may be late, doubled or out of order</h2>
 * A placeholder only moves forward, from submitted to accepted, running, ending (withdrawn or released by us) and over; a node from not up to
 * up to lost. A report of something that lies behind is dropped. In particular:
 * <ul>
 *   <li>over before accepted, started or refused: it is over; the others come too late. The same for a doubled one, and for a token that is not
 *       ours;
 *   <li>refused after accepted: refused. Refused after started: dropped. Refused after we withdrew it: over;
 *   <li>started after we withdrew it: withdrawn once more, since the first time may have been too early;
 *   <li>started twice: the earlier instant counts. A node up, or lost, before started: it has started. Up after lost: lost;
 *   <li>a task ended twice: the first time counts;
 *   <li>a task ended after its placeholder or node was over: it was given back, and a failure says nothing new. A success counts if the task
 *       has not been committed: what was achieved is kept. If another attempt runs by then, that one is stopped and its result ignored; its cores come
 *       back when it ends. Where attempts share their files ({@link Rules#sharedFiles}) a success counts only until the next attempt begins;
 *   <li>a task ended while its placeholder is being withdrawn: counts as ever.
 * </ul>
 * So one attempt of each task is committed, never two, and a committed one stays so. Given back is a task only when its attempt cannot run any
 * more: its placeholder is over, or a node of it lost, or it was told to have ended.
 *
 * <h2>What fails</h2>
 * A task that fails by its own fault is tried again as often as the workflow allows; one that is cut off or lost does not use that up, but
 * {@link Rules#mostLosses} bounds it; where {@link Rules#mostCutOffs} says so, what is asked for after a cut-off is longer. Behind a task that failed for good everything is skipped; the run ends, or with {@link Rules#keepGoing}
 * goes on with what is left. When a run ends early nothing more is started, what is queued is withdrawn, and what runs may finish; when it is
 * cancelled everything is withdrawn. Submissions that fail in a row are waited upon, then the run pauses ({@link Troubles}).
 *
 * <h2>Replay</h2>
 * All state comes from the events, from the instants of settling and from the decisions. So a journal of these, given to {@link #on} and
 * {@link #replay}, makes the same manager again, with the same tokens and attempts, and no strategy is asked. {@link #repeat} then tells again
 * what may have been lost on its way when the journal ends.
 */
public final class Manager implements View {
    private static final int ANY_LEVEL = -1;

    /** In place of a time: an attempt was not cut off. */
    private static final long NOT_CUT = -1;

    private final Ranking ranking;
    private final Strategy strategy;
    private final Estimator estimator;
    private final Considered considered;
    private final int nodes;
    private final int coresPerNode;
    private final int cap;
    private final Rules rules;
    private final List<Placeholder> placeholders = new ArrayList<>();
    private final Map<Long, Placeholder> byToken = new HashMap<>();
    private final Troubles troubles = new Troubles();

    private Workflow workflow;
    private Progress progress;
    private Binding binding;
    private Memo memo = Memo.NONE;
    private long now;
    private long nextToken = 1;
    private boolean changed = true;
    private boolean cancelled;
    /** When the strategy wants to be asked again. */
    private long wakeAt = Decision.NEVER;
    /** When a placeholder whose nodes do not come up is given up. */
    private long nextGivingUp = Decision.NEVER;
    /** The instant last asked for and not yet reached. */
    private long wakeAsked = Decision.NEVER;

    private int expiries;
    private int reruns;
    private int failures;

    /** A run that has not begun, under the default rules. */
    public Manager(
            Workflow workflow,
            Ranking ranking,
            Strategy strategy,
            Estimator estimator,
            Considered considered,
            int nodes,
            int coresPerNode,
            int cap) {
        this(workflow, ranking, strategy, estimator, considered, nodes, coresPerNode, cap, Rules.DEFAULT);
    }

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
            int cap,
            Rules rules) {
        this.workflow = workflow;
        this.ranking = ranking;
        this.strategy = strategy;
        this.estimator = estimator;
        this.considered = considered;
        this.nodes = nodes;
        this.coresPerNode = coresPerNode;
        this.cap = cap;
        this.rules = rules;
        progress = new Progress(workflow, ranking);
        binding = new Binding(workflow, progress);
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
            accepted(accepted);
        } else if (event instanceof Event.Refused refused) {
            refused(refused);
        } else if (event instanceof Event.NodeUp up) {
            nodeUp(up, out);
        } else if (event instanceof Event.NodeLost lost) {
            nodeLost(lost, out);
        } else if (event instanceof Event.Grown grown) {
            grow(grown.larger(), out);
        } else if (event instanceof Event.Resumed) {
            troubles.resumed();
            changed = true;
        } else if (event instanceof Event.Cancelled) {
            cancelled = true;
            withdrawAll(out);
        } else {
            changed = true;
        }
    }

    /**
     * Ends an instant: releases placeholders that have nothing left to do, and asks the strategy if anything happened.
     *
     * @return what the strategy decided, or null if it was not asked; to be written down together with the instant
     */
    public @Nullable Decision settle(long at, Effects out) {
        Decision decision = null;
        if (tidy(at, out)) {
            considered.asked(now);
            decision = strategy.decide(this, memo, estimator, considered);
            carryOut(decision, considered, out);
        }
        askToBeWoken(out);
        return decision;
    }

    /** Ends an instant once more as it was ended before, with what {@link #settle} returned then. */
    public void replay(long at, @Nullable Decision decided, Effects out) {
        boolean asks = tidy(at, out);
        if (asks != (decided != null)) {
            throw new IllegalStateException("at " + at + " the strategy was " + (asks ? "not " : "")
                    + "asked when this was written down, which does not fit what was written before");
        }
        if (decided != null) {
            carryOut(decided, Considered.NOTHING, out);
        }
        askToBeWoken(out);
    }

    /** Tells once more all that has not been answered; whoever carries it out knows what he has done already. */
    public void repeat(Effects out) {
        for (Placeholder p : placeholders) {
            if (p.state == State.SUBMITTED) {
                out.submit(p.token, p.request);
            }
            if (p.isQueued() && p.shortened) {
                out.shorten(p.token, p.request.walltime());
            } else if (p.state == State.WITHDRAWN) {
                out.withdraw(p.token);
            } else if (p.state == State.RELEASED) {
                out.release(p.token);
            }
        }
        binding.repeat(out);
        if (wakeAsked > now && wakeAsked != Decision.NEVER) {
            out.wake(wakeAsked);
        }
    }

    /**
     * Whether nothing more will be decided: all tasks are done, failed or skipped, or the run has failed or been cancelled. Placeholders may still have to
     * end.
     */
    public boolean isOver() {
        return progress.unfinished() == 0 || cancelled || (failures > 0 && !rules.keepGoing());
    }

    /** Whether a task has failed for good. */
    public boolean isFailed() {
        return failures > 0;
    }

    public boolean isCancelled() {
        return cancelled;
    }

    /** Why nothing more is submitted until {@link Event.Resumed}, or null. */
    public @Nullable String paused() {
        return troubles.paused();
    }

    /** How many attempts were cut off, lost or failed and had to be made again. */
    public int reruns() {
        return reruns;
    }

    public TaskState state(int task) {
        return progress.state(task);
    }

    /** How many attempts of a task were started. */
    public int attempts(int task) {
        return progress.attempts(task);
    }

    /** The attempt of a task that counts; 0 if none has succeeded. Once told it never changes. */
    public int committed(int task) {
        return progress.committed(task);
    }

    // --- events of placeholders ---

    private void accepted(Event.Accepted event) {
        Placeholder p = byToken.get(event.token());
        if (p != null && p.state == State.SUBMITTED) {
            p.state = State.ACCEPTED;
            troubles.accepted();
        }
    }

    private void refused(Event.Refused event) {
        Placeholder p = byToken.get(event.token());
        if (p == null) {
            return;
        }
        if (p.isQueued()) {
            troubles.refused(event.why());
            leave(p);
        } else if (p.state == State.WITHDRAWN && p.startedAt < 0) {
            leave(p);
        }
    }

    private void started(Event.Started event, Effects out) {
        Placeholder p = begun(event.token(), event.at(), event.nodesUp(), out);
        if (p == null) {
            return;
        }
        if (event.nodesUp()) {
            p.nodesUp(coresPerNode);
        }
        fill(p, ANY_LEVEL, out);
        releaseIfIdle(p, out);
    }

    private void nodeUp(Event.NodeUp event, Effects out) {
        Placeholder p = begun(event.token(), event.at(), true, out);
        if (p != null && p.hasNode(event.node())) {
            p.nodeUp(event.node(), coresPerNode);
            fill(p, ANY_LEVEL, out);
        }
    }

    private void nodeLost(Event.NodeLost event, Effects out) {
        Placeholder p = begun(event.token(), event.at(), false, out);
        if (p != null && p.hasNode(event.node()) && p.nodeLost(event.node())) {
            giveBack(p, event.node(), false, out);
            changed = true;
            fillAll(out);
            releaseIfIdle(p, out);
        }
    }

    /** The placeholder of which is told what only a started one does; null if it is over. */
    private @Nullable Placeholder begun(long token, long at, boolean up, Effects out) {
        if (up && token < nextToken) {
            troubles.nodeUp();
        }
        Placeholder p = byToken.get(token);
        if (p == null) {
            return null;
        }
        if (p.state == State.WITHDRAWN && p.startedAt < 0) {
            out.withdraw(token);
        } else if (p.isQueued()) {
            p.state = State.RUNNING;
            troubles.accepted();
            changed = true;
        }
        p.startedAt = p.startedAt < 0 ? at : Math.min(p.startedAt, at);
        return p;
    }

    private void ended(Event.Ended event, Effects out) {
        Placeholder p = byToken.get(event.token());
        if (p == null) {
            return;
        }
        boolean cut = giveBack(p, -1, event.how() == Event.End.EXPIRED, out);
        if (!p.isEnding()) {
            expiries += cut || binding.hasWork(p) ? 1 : 0;
            if (!p.everUp) {
                troubles.silent("was " + event.how().name().toLowerCase(Locale.ROOT));
            }
        }
        leave(p);
        fillAll(out);
    }

    private void leave(Placeholder p) {
        byToken.remove(p.token);
        placeholders.remove(p);
        changed = true;
    }

    private void withdraw(Placeholder p, Effects out) {
        p.state = State.WITHDRAWN;
        out.withdraw(p.token);
    }

    private void withdrawAll(Effects out) {
        for (Placeholder p : placeholders) {
            if (!p.isEnding()) {
                withdraw(p, out);
            }
        }
    }

    // --- events of tasks ---

    private void taskEnded(Event.TaskEnded event, Effects out) {
        int task = event.task();
        Attempt attempt = binding.running(task);
        if (attempt != null && attempt.number == event.attempt()) {
            attemptEnded(task, attempt, event.outcome(), out);
        } else if (event.outcome() == Event.Outcome.SUCCEEDED && countsLate(task, event.attempt())) {
            if (attempt != null) {
                out.stop(attempt.in.token, task, attempt.number);
            }
            progress.done(task, event.attempt());
            changed = true;
            fillAll(out);
        }
    }

    /** Whether the success of an attempt that was taken for lost is good news. */
    private boolean countsLate(int task, int attempt) {
        if (task < 0 || task >= workflow.size() || progress.isFinal(task)) {
            return false;
        }
        int last = progress.attempts(task);
        return attempt == last || (attempt >= 1 && attempt < last && !rules.sharedFiles());
    }

    private void attemptEnded(int task, Attempt attempt, Event.Outcome outcome, Effects out) {
        Placeholder p = attempt.in;
        binding.vacate(task, attempt);
        if (!progress.isFinal(task)) {
            if (outcome == Event.Outcome.SUCCEEDED) {
                progress.done(task, attempt.number);
            } else {
                boolean cut = outcome == Event.Outcome.CUT_OFF;
                tryAgain(task, outcome.isFailure(), cut ? now - attempt.startedAt : NOT_CUT);
            }
        }
        p.closing |= outcome == Event.Outcome.CUT_OFF;
        changed = true;
        fill(p, p.claim.sameLevelFirst() ? workflow.level(task) : ANY_LEVEL, out);
        fillAll(out);
        releaseIfIdle(p, out);
    }

    /** A task whose attempt is over without success is ready again, if it may be; an attempt that was cut off tells after how long. */
    private void tryAgain(int task, boolean itsFault, long cutAfter) {
        boolean again = itsFault
                ? progress.failure(task) <= workflow.retries(task)
                : progress.losses(task) <= rules.mostLosses();
        if (cutAfter != NOT_CUT && rules.mostCutOffs() > 0) {
            again &= progress.cutOff(task, cutAfter) <= rules.mostCutOffs();
        }
        if (again) {
            progress.lost(task);
            reruns++;
        } else {
            progress.failed(task);
            failures++;
        }
    }

    /** Tasks that ran in a placeholder, or on one node of it, are ready again; whether there were any. */
    private boolean giveBack(Placeholder p, int node, boolean expired, Effects out) {
        boolean cut = false;
        for (int task = binding.nextIn(p, node, -1); task >= 0; task = binding.nextIn(p, node, task)) {
            Attempt attempt = binding.running(task);
            if (attempt == null) {
                continue;
            }
            binding.vacate(task, attempt);
            if (node >= 0 && attempt.nodes.length > 1) {
                // Its other nodes may still be at it.
                out.stop(p.token, task, attempt.number);
            }
            if (!progress.isFinal(task)) {
                tryAgain(task, false, expired ? now - attempt.startedAt : NOT_CUT);
                cut = true;
            }
        }
        return cut;
    }

    private void grow(Workflow larger, Effects out) {
        progress = new Progress(progress, larger, ranking);
        binding = new Binding(binding, larger, progress);
        workflow = larger;
        for (Placeholder p : placeholders) {
            p.claimed = progress.positions(p.claim.tasks());
        }
        changed = true;
        fillAll(out);
    }

    private void fillAll(Effects out) {
        for (Placeholder p : placeholders) {
            if (p.isRunning() && p.freeTotal > 0) {
                fill(p, ANY_LEVEL, out);
            }
        }
    }

    private void fill(Placeholder p, int levelFirst, Effects out) {
        if (!isOver()) {
            binding.fill(p, levelFirst, now, out);
        }
    }

    // --- decisions ---

    /** Does what needs no decision at the end of an instant; whether the strategy is to be asked. */
    private boolean tidy(long at, Effects out) {
        now = Math.max(now, at);
        nextGivingUp = Decision.NEVER;
        for (Placeholder p : placeholders) {
            giveUpIfSilent(p, out);
            releaseIfIdle(p, out);
        }
        troubles.settle(now);
        if (wakeAt <= now) {
            wakeAt = Decision.NEVER;
            changed = true;
        }
        if (isOver()) {
            stopEarly(out);
            return false;
        }
        if (!changed || troubles.paused() != null || now < troubles.quietUntil()) {
            return false;
        }
        changed = false;
        return true;
    }

    private void giveUpIfSilent(Placeholder p, Effects out) {
        if (p.isRunning() && !p.everUp) {
            long until = p.startedAt + rules.callWithin();
            if (now < until) {
                nextGivingUp = Math.min(nextGivingUp, until);
                return;
            }
            expiries += binding.hasWork(p) ? 1 : 0;
            troubles.silent("was given up");
            changed = true;
            withdraw(p, out);
        }
    }

    /** A placeholder may have become idle because another one took what it claims, or because it cannot go on. */
    private void releaseIfIdle(Placeholder p, Effects out) {
        if (!p.isRunning() || p.runningTasks > 0) {
            return;
        }
        boolean hasWork = binding.hasWork(p);
        if (!hasWork || p.closing || p.retired || (p.lostNodes > 0 && !binding.isEnough(p))) {
            expiries += hasWork && !p.retired ? 1 : 0;
            p.state = State.RELEASED;
            out.release(p.token);
        }
    }

    /** The run is over: what is queued or idle is not needed any more. */
    private void stopEarly(Effects out) {
        for (Placeholder p : placeholders) {
            if (p.isQueued() || (p.isRunning() && p.runningTasks == 0)) {
                withdraw(p, out);
            }
        }
    }

    private void carryOut(Decision decision, Considered sink, Effects out) {
        memo = decision.memo();
        wakeAt = decision.wakeAt() == Decision.NEVER ? Decision.NEVER : Math.max(now + 1, decision.wakeAt());
        for (Order order : decision.orders()) {
            carryOut(order, sink, out);
        }
    }

    /** Does what the strategy ordered; what has become impossible is dropped. */
    private void carryOut(Order order, Considered sink, Effects out) {
        if (order instanceof Order.Submit submit) {
            if (placeholders.size() < cap) {
                Request request = longer(submit.request(), submit.claim());
                Placeholder p = new Placeholder(nextToken++, request, submit.claim(), now);
                p.claimed = progress.positions(p.claim.tasks());
                placeholders.add(p);
                byToken.put(p.token, p);
                if (sink.isWanted()) {
                    sink.ordered(order, p.token, expectedStart(p.request));
                }
                out.submit(p.token, p.request);
            }
        } else if (order instanceof Order.Withdraw withdraw) {
            Placeholder p = byToken.get(withdraw.token());
            if (p != null && !p.isEnding()) {
                sink.ordered(order, p.token, -1);
                withdraw(p, out);
            }
        } else if (order instanceof Order.Shorten shorten) {
            Placeholder p = byToken.get(shorten.token());
            if (p != null && p.isQueued() && shorten.walltime() < p.request.walltime()) {
                p.shorten(shorten.walltime());
                sink.ordered(order, p.token, -1);
                out.shorten(p.token, shorten.walltime());
            }
        } else if (order instanceof Order.Retire retire) {
            Placeholder p = byToken.get(retire.token());
            if (p != null && p.isRunning() && !p.retired) {
                p.retired = true;
                sink.ordered(order, p.token, -1);
                releaseIfIdle(p, out);
            }
        }
    }

    /** Where a task was cut off, it is given twice the time that it had, beside what the strategy asks for. */
    private Request longer(Request request, Claim claim) {
        long cut = binding.longestCut(claim);
        return cut == 0
                ? request
                : new Request(
                        request.pool(),
                        request.units(),
                        request.walltime() + 2 * cut,
                        request.notBefore(),
                        request.afterToken());
    }

    /** When a placeholder would start if it were submitted now; −1 if that is not known. */
    private long expectedStart(Request request) {
        Placeholder before = byToken.get(request.afterToken());
        if (before != null && !before.isRunning()) {
            return -1;
        }
        long[] start = new long[1];
        estimator.starts(now, request.pool(), new int[] {request.units()}, new long[] {request.walltime()}, 1, start);
        if (start[0] == Long.MAX_VALUE) {
            return -1;
        }
        long free = Math.max(start[0], request.notBefore());
        return before == null ? free : Math.max(free, before.limit());
    }

    private void askToBeWoken(Effects out) {
        if (wakeAsked <= now) {
            wakeAsked = Decision.NEVER;
        }
        long next = nextGivingUp;
        if (troubles.paused() == null) {
            next = Math.min(next, wakeAt);
            if (changed && troubles.quietUntil() > now) {
                next = Math.min(next, troubles.quietUntil());
            }
        }
        if (next != Decision.NEVER && next != wakeAsked && !isOver()) {
            wakeAsked = next;
            out.wake(next);
        }
    }

    /** All that this manager knows, in words; two of the same history are the same to the letter. */
    public String describe() {
        StringBuilder text = new StringBuilder();
        text.append(now)
                .append(' ')
                .append(nextToken)
                .append(' ')
                .append(changed)
                .append(' ');
        text.append(cancelled)
                .append(' ')
                .append(wakeAt)
                .append(' ')
                .append(nextGivingUp)
                .append(' ');
        text.append(wakeAsked)
                .append(' ')
                .append(expiries)
                .append(' ')
                .append(reruns)
                .append(' ');
        text.append(failures).append(" memo ").append(memo.text());
        troubles.describe(text);
        placeholders.forEach(p -> p.describe(text));
        binding.describe(text);
        progress.describe(text);
        return text.toString();
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
        return progress.isFinal(task);
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
    public long startedAt(int task) {
        Attempt attempt = binding.running(task);
        return attempt == null ? -1 : attempt.startedAt;
    }

    @Override
    public long runsIn(int task) {
        Attempt attempt = binding.running(task);
        return attempt == null ? -1 : attempt.in.token;
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
