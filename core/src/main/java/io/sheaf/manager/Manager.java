package io.sheaf.manager;

import io.sheaf.predict.StartEstimator;
import io.sheaf.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/**
 * The application manager of Zhang, Koelbel and Cooper, "Batch queue resource scheduling for workflow applications" (CLUSTER 2009,
 * Fig. 3): reacts to events of pilot jobs and tasks, binds tasks to cores, and asks the strategy what to submit.
 *
 * <h2>How it works</h2>
 * {@link #on} takes in an event and binds tasks to cores that are free ({@link Binding}); {@link #settle} ends an instant: pilot jobs with
 * nothing left to do are released, and the strategy is asked if anything happened. What is to be done goes to {@link Effects}. It has no clock,
 * no thread and does no input or output, so the same code runs simulated and real. Its subjects are kept apart: how the run stands
 * ({@link Standing}), what becomes of attempts ({@link Attempts}) and of pilot jobs ({@link Lifecycle}), and what was ordered ({@link Orders}).
 *
 * <h2>Reports may be late, doubled or out of order</h2>
 * A pilot job only moves forward, from submitted to accepted, running, ending (cancelled or released by us) and over; a node from not up to
 * up to lost. A report of something that lies behind is dropped. In particular:
 * <ul>
 *   <li>over before accepted, started or refused: it is over; the others come too late. The same for a doubled one, and for a token that is not
 *       ours;
 *   <li>refused after accepted: refused. Refused after started: dropped. Refused after we withdrew it: over;
 *   <li>started after we withdrew it: cancelled once more, since the first time may have been too early;
 *   <li>started twice: the earlier instant counts. A node up, or lost, before started: it has started. Up after lost: lost;
 *   <li>a task ended twice: the first time counts;
 *   <li>a task ended after its pilot job or node was over: it was given back, and a failure says nothing new. A success counts if the task
 *       has not been committed: what was achieved is kept. If another attempt runs by then, that one is stopped and its result ignored; its cores come
 *       back when it ends. Where attempts share their files ({@link Rules#sharedFiles}) a success counts only until the next attempt begins;
 *   <li>a task ended while its pilot job is being cancelled: counts as ever.
 * </ul>
 * So one attempt of each task is committed, never two, and a committed one stays so. Given back is a task only when its attempt cannot run any
 * more: its pilot job is over, or a node of it lost, or it was told to have ended.
 *
 * <h2>What fails</h2>
 * A task that fails by its own fault is tried again as often as the workflow allows; one that is cut off or lost does not use that up, but
 * {@link Rules#mostLosses} bounds it; where {@link Rules#mostCutOffs} says so, what is asked for after a cut-off is longer. Behind a task that failed for good everything is skipped; the run ends, or with {@link Rules#keepGoing}
 * goes on with what is left. When a run ends early nothing more is started, what is queued is cancelled, and what runs may finish; when it is
 * cancelled everything is cancelled. Some tasks can be held back or dropped by themselves; to pilot jobs and strategies those that are held back are as
 * if they were done. Submissions that fail in a row are waited upon, then the run pauses ({@link Troubles}).
 *
 * <h2>Replay</h2>
 * All state comes from the events, from the instants of settling and from the decisions. So a journal of these, given to {@link #on} and
 * {@link #replay}, makes the same manager again, with the same tokens and attempts, and no strategy is asked. {@link #repeat} then tells again
 * what may have been lost on its way when the journal ends.
 */
public final class Manager extends Standing {
    private Strategy strategy;
    /** The workflow that the strategy was made for. */
    private Workflow planned;

    private @Nullable Lookahead lookahead;
    private final StartEstimator estimator;
    private final Considered considered;
    private final Attempts attempts;
    private final Lifecycle lifecycle;
    private final Orders orders;
    private final Arrivals arrivals = new Arrivals();

    private Memo memo = Memo.NONE;
    /** When the strategy wants to be asked again. */
    private long wakeAt = Decision.NEVER;
    /** Whether pilot jobs may have become idle since they were looked at. */
    private boolean untidy = true;
    /** When a pilot job whose nodes do not come up is given up. */
    private long nextGivingUp = Decision.NEVER;
    /** When a task that waits for a core will have waited for too long. */
    private long nextRecall = Decision.NEVER;
    /** The instant last asked for and not yet reached. */
    private long wakeAsked = Decision.NEVER;

    /** A run that has not begun, under the default rules. */
    public Manager(
            Workflow workflow,
            Ranking ranking,
            Strategy strategy,
            StartEstimator estimator,
            Considered considered,
            int nodes,
            int coresPerNode,
            int cap) {
        this(workflow, ranking, strategy, estimator, considered, nodes, coresPerNode, cap, Rules.DEFAULT);
    }

    /**
     * A run that has not begun.
     *
     * @param nodes the most nodes that a pilot job may have
     * @param cap the most pilot jobs in the batch system at once
     */
    public Manager(
            Workflow workflow,
            Ranking ranking,
            Strategy strategy,
            StartEstimator estimator,
            Considered considered,
            int nodes,
            int coresPerNode,
            int cap,
            Rules rules) {
        super(workflow, ranking, nodes, coresPerNode, cap, rules);
        this.strategy = strategy;
        planned = workflow;
        this.estimator = estimator;
        this.considered = considered;
        attempts = new Attempts(this);
        lifecycle = new Lifecycle(this, attempts);
        orders = new Orders(this, lifecycle, estimator);
    }

    private Manager(Manager of, Strategy strategy, Memo memo, StartEstimator estimator) {
        super(of);
        this.strategy = strategy;
        planned = of.workflow;
        this.memo = memo;
        this.estimator = estimator;
        considered = Considered.NOTHING;
        attempts = new Attempts(this);
        lifecycle = new Lifecycle(this, attempts);
        orders = new Orders(this, lifecycle, estimator);
        nextGivingUp = of.nextGivingUp;
        changed = true;
    }

    /** A copy that shares nothing that changes. */
    public Manager fork() {
        return fork(strategy, memo, estimator);
    }

    /** A copy that continues with another strategy, which decides as soon as an instant is ended. */
    public Manager fork(Strategy other, Memo remembered, StartEstimator asked) {
        return new Manager(this, other, remembered, asked);
    }

    /** Lets the strategy simulate this run; before the first event. */
    public void simulateBy(Lookahead simulations) {
        lookahead = simulations;
    }

    @Override
    public @Nullable Lookahead lookahead() {
        return lookahead;
    }

    /** Takes in an event and binds what can be bound because of it. */
    public void on(Event event, Effects out) {
        now = Math.max(now, event.at());
        untidy = true;
        if (event instanceof Event.TaskEnded ended) {
            PilotJob p = attempts.ended(ended, out);
            if (p != null) {
                lifecycle.releaseIfIdle(p, out);
            }
        } else if (event instanceof Event.Started started) {
            lifecycle.started(started, out);
        } else if (event instanceof Event.Ended ended) {
            lifecycle.ended(ended, out);
        } else if (event instanceof Event.Accepted accepted) {
            lifecycle.accepted(accepted);
        } else if (event instanceof Event.Refused refused) {
            lifecycle.refused(refused);
        } else if (event instanceof Event.NodeUp up) {
            lifecycle.nodeUp(up, out);
        } else if (event instanceof Event.NodeLost lost) {
            lifecycle.nodeLost(lost, out);
        } else if (event instanceof Event.Grown grown) {
            add(grown.added());
            attempts.fillAll(out);
            if (isAwaited()) {
                arrivals.came(now);
            }
        } else if (event instanceof Event.Retimed retimed) {
            retime(retimed.times());
            attempts.fillAll(out);
        } else if (event instanceof Event.Held held) {
            attempts.hold(held);
            attempts.fillAll(out);
        } else if (event instanceof Event.Dropped dropped) {
            attempts.drop(dropped, out);
        } else if (event instanceof Event.Awaited told) {
            awaited = told.more();
        } else if (event instanceof Event.Opened) {
            open = true;
        } else if (event instanceof Event.Closed) {
            open = false;
        } else if (event instanceof Event.Restored restored) {
            restore(restored.as());
        } else if (event instanceof Event.Resumed) {
            troubles.resumed();
            changed = true;
        } else if (event instanceof Event.Cancelled) {
            cancelled = true;
            lifecycle.cancelAll(out);
        } else {
            changed = true;
        }
    }

    private void restore(Checkpoint as) {
        CheckpointMaker.restore(this, as);
        memo = strategy.memo(as.memo());
        wakeAt = as.counts().wakeAt();
        nextGivingUp = as.counts().nextGivingUp();
        wakeAsked = as.counts().wakeAsked();
    }

    /** What it knows, without workflows that are over and that nothing refers to any more; events that make it again. */
    public CheckpointMaker checkpoint() {
        return new CheckpointMaker(this, memo.text(), wakeAt, nextGivingUp, wakeAsked);
    }

    /**
     * Ends an instant: releases pilot jobs that have nothing left to do, and asks the strategy if anything happened.
     *
     * @return what the strategy decided, or null if it was not asked; to be written down together with the instant
     */
    public @Nullable Decision settle(long at, Effects out) {
        Decision decision = null;
        if (tidy(at, out)) {
            if (planned != workflow) {
                strategy = strategy.forWorkflow(workflow);
                planned = workflow;
            }
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
        lifecycle.repeat(out);
        binding.repeat(out);
        if (wakeAsked > now && wakeAsked != Decision.NEVER) {
            out.wake(wakeAsked);
        }
    }

    /** Does what needs no decision at the end of an instant; whether the strategy is to be asked. */
    private boolean tidy(long at, Effects out) {
        now = Math.max(now, at);
        if (untidy || now >= nextGivingUp) {
            nextGivingUp = lifecycle.tidy(out);
            untidy = false;
        }
        nextRecall = binding.recall(now, out);
        troubles.settle(now);
        if (wakeAt <= now) {
            wakeAt = Decision.NEVER;
            changed = true;
        }
        if (isOver() || progress.levels().isNothingLeft()) {
            nextGivingUp = Math.min(nextGivingUp, lifecycle.cancelUnneeded(out));
            return false;
        }
        if (!changed || troubles.paused() != null || now < quietUntil()) {
            return false;
        }
        changed = false;
        arrivals.told();
        return true;
    }

    /** Before this instant the strategy is not asked. */
    private long quietUntil() {
        return isAwaited() ? Math.max(arrivals.quietUntil(), troubles.quietUntil()) : troubles.quietUntil();
    }

    private void carryOut(Decision decision, Considered sink, Effects out) {
        memo = decision.memo();
        decision.lessons().forEach(out::learn);
        wakeAt = decision.wakeAt() == Decision.NEVER ? Decision.NEVER : Math.max(now + 1, decision.wakeAt());
        orders.carryOut(decision.orders(), sink, out);
    }

    private void askToBeWoken(Effects out) {
        if (wakeAsked <= now) {
            wakeAsked = Decision.NEVER;
        }
        long next = Math.min(nextGivingUp, nextRecall);
        if (troubles.paused() == null) {
            next = Math.min(next, wakeAt);
            if (changed && quietUntil() > now) {
                next = Math.min(next, quietUntil());
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
                .append(open)
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
        if (awaited) {
            arrivals.describe(text);
        }
        troubles.describe(text);
        pilotJobs.forEach(p -> p.describe(text));
        binding.describe(text);
        progress.describe(text);
        margins.describe(text);
        if (turns != null) {
            turns.describe(text);
        }
        return text.toString();
    }
}
