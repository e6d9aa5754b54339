package io.sheaf.manager;

import io.sheaf.predict.StartEstimator;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The application manager of Zhang, Koelbel and Cooper, "Batch queue resource scheduling for workflow applications" (CLUSTER 2009, Fig. 3): handles
 * events of pilot jobs and tasks, binds tasks to cores, and calls the strategy.
 *
 * <h2>How it works</h2>
 * {@link #on} handles an event and binds tasks to free cores ({@link Binding}). {@link #settle} ends an instant: it releases idle pilot jobs and
 * calls the strategy if anything happened. Commands go to {@link Effects}. The manager has no clock, no threads and no input or output, so
 * simulations and real runs use the same code. Its parts are the state ({@link ManagedRun}), attempts ({@link Attempts}), pilot jobs ({@link
 * Lifecycle}) and orders ({@link Orders}).
 *
 * <h2>Late, duplicate and reordered events</h2>
 * The state of a pilot job only moves forward: submitted, accepted, running, ending (cancelled or released), ended. So does that of a node: not up,
 * up, lost. The manager drops an event that would move a state back. In particular:
 *
 * <ul>
 *   <li>Ended before accepted, started or refused: ended; the manager drops the later events. It also drops duplicates and unknown tokens.
 *   <li>Refused after accepted: refused. Refused after started: dropped. Refused after cancelled by the manager: ended.
 *   <li>Started after cancelled by the manager: the manager cancels it again, because the first command may have been too early.
 *   <li>Started twice: the earlier instant counts. A node up or lost before started: it has started. Up after lost: lost.
 *   <li>A task ended twice: the first event counts.
 *   <li>A task ended after its pilot job or node was lost: the task is ready again, and a failure is dropped. A success is committed if no other
 *       attempt is. The manager then stops another running attempt and ignores its result; its cores become free when it ends. If attempts share
 *       files ({@link Rules#sharedFiles}), a success counts only until the next attempt starts.
 *   <li>A task ended while its pilot job is being cancelled: counts.
 * </ul>
 * At most one attempt of each task is committed, and it stays committed. A task becomes ready again only when its attempt cannot run any more: its
 * pilot job has ended, one of its nodes is lost, or its end was reported.
 *
 * <h2>Failures</h2>
 *
 * <ul>
 *   <li>A task that fails by its own fault is retried as often as the workflow allows.
 *   <li>An attempt that is cut off or lost does not count as such a retry; {@link Rules#maxLosses} limits these. With {@link
 *       Rules#maxTimeouts}, the next request after a cut-off is longer.
 *   <li>When a task has failed permanently, the manager skips its dependent tasks. The run ends, or continues with the other tasks ({@link
 *       Rules#keepGoing}).
 *   <li>A run that ends early starts no tasks and cancels queued jobs; running attempts finish. Cancelling a run cancels everything.
 *   <li>The user can hold or drop single tasks. Pilot jobs and strategies treat held tasks like finished ones.
 *   <li>After consecutive submission failures the manager waits, then pauses the run ({@link SubmissionFailures}).
 * </ul>
 *
 * <h2>Replay</h2>
 * All state results from the events, the instants of settling and the decisions. Replaying a journal of these with {@link #on} and {@link #replay}
 * restores the same manager, with the same tokens and attempts, without calling the strategy. {@link #repeat} then repeats commands that may have
 * been lost.
 */
public final class Manager extends ManagedRun implements RunController {
    private Strategy strategy;
    /** The workflow that the strategy was created for. */
    private Workflow planned;

    private @Nullable Lookahead lookahead;
    private final StartEstimator estimator;
    private final DecisionSink sink;
    private final Attempts attempts;
    private final Lifecycle lifecycle;
    private final Orders orders;
    private final Arrivals arrivals = new Arrivals();

    private Memo memo = Memo.NONE;
    /** When to call the strategy again. */
    private long wakeAt = Decision.NEVER;
    /** Whether pilot jobs may have become idle since the last check. */
    private boolean needsTidying = true;
    /** When to give up the next pilot job whose nodes do not come up. */
    private long nextGivingUp = Decision.NEVER;
    /** When the next prefetched task will have waited too long. */
    private long nextRecall = Decision.NEVER;
    /** The requested wake-up instant that is not yet reached. */
    private long requestedWake = Decision.NEVER;

    /**
     * A run before its first event.
     *
     * @param ranking a distinct rank for each task of a workflow, given what a node has; ready tasks start in this order, lowest first
     * @param nodes the maximum number of nodes of a pilot job
     * @param cap the maximum number of pilot jobs in the batch system at once
     */
    public Manager(
            Workflow workflow,
            BiFunction<Workflow, Resources, int[]> ranking,
            Strategy strategy,
            StartEstimator estimator,
            DecisionSink sink,
            int nodes,
            int cap,
            Rules rules) {
        super(workflow, ranking, nodes, cap, rules);
        this.strategy = strategy;
        planned = workflow;
        this.estimator = MemoryAwareEstimator.of(this, estimator);
        this.sink = sink;
        attempts = new Attempts(this);
        lifecycle = new Lifecycle(this, attempts);
        orders = new Orders(this, lifecycle, estimator);
    }

    private Manager(Manager source, Strategy strategy, Memo memo, StartEstimator estimator) {
        super(source);
        this.strategy = strategy;
        planned = source.workflow;
        this.memo = memo;
        this.estimator = MemoryAwareEstimator.of(this, estimator);
        sink = DecisionSink.NOTHING;
        attempts = new Attempts(this);
        lifecycle = new Lifecycle(this, attempts);
        orders = new Orders(this, lifecycle, estimator);
        nextGivingUp = source.nextGivingUp;
        changed = true;
    }

    /** An independent copy. */
    public Manager fork() {
        return fork(strategy, memo, estimator);
    }

    /** A copy that continues with another strategy, which decides at the next end of an instant. */
    public Manager fork(Strategy other, Memo remembered, StartEstimator estimates) {
        return new Manager(this, other, remembered, estimates);
    }

    /** Enables the strategy to simulate this run. Call before the first event. */
    public void simulateBy(Lookahead simulations) {
        lookahead = simulations;
    }

    @Override
    public @Nullable Lookahead lookahead() {
        return lookahead;
    }

    /** Handles an event and binds tasks to cores that it frees. */
    @Override
    public void on(Event event, Effects out) {
        now = Math.max(now, event.at());
        needsTidying = true;
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
        } else if (event instanceof Event.Granted granted) {
            lifecycle.granted(granted, out);
        } else if (event instanceof Event.NodeUp up) {
            lifecycle.nodeUp(up, out);
        } else if (event instanceof Event.NodeLost lost) {
            lifecycle.nodeLost(lost, out);
        } else if (event instanceof Event.NodeSilent silent) {
            health.silent(silent.host(), now);
            changed = true;
        } else if (event instanceof Event.Grown grown) {
            add(grown.added());
            attempts.fillAll(out);
            if (isAwaited()) {
                arrivals.add(now);
            }
        } else if (event instanceof Event.Retimed retimed) {
            retime(retimed.times());
            attempts.fillAll(out);
        } else if (event instanceof Event.Held held) {
            attempts.hold(held);
            attempts.fillAll(out);
        } else if (event instanceof Event.Dropped dropped) {
            attempts.drop(dropped, out);
        } else if (event instanceof Event.Attempted attempted) {
            progress.begun(attempted.task(), attempted.attempt());
        } else if (event instanceof Event.Awaited awaits) {
            awaited = awaits.more();
            expected = awaits.expected();
        } else if (event instanceof Event.Opened) {
            open = true;
        } else if (event instanceof Event.Closed) {
            open = false;
        } else if (event instanceof Event.Restored restored) {
            restore(restored.as());
        } else if (event instanceof Event.Limited limited) {
            new HeldBackJobs(this, lifecycle).merge(limited, out);
        } else if (event instanceof Event.PoolsUnavailable pools) {
            sizes.unavailable(pools);
            changed = true;
        } else if (event instanceof Event.Preemptible preemptible) {
            changed |= sizes.preemptible(preemptible);
        } else if (event instanceof Event.Placed placed) {
            places.placed(placed);
        } else if (event instanceof Event.Resumed) {
            submissionFailures.resumed();
            changed = true;
        } else if (event instanceof Event.Cancelled) {
            cancelled = true;
            lifecycle.cancelAll(out);
        } else {
            changed = true;
            if (progress.molding != null || !places.isEmpty()) {
                // A task that waits for cores of an overdue one may now start on fewer, or away from its inputs.
                attempts.fillAll(out);
            }
        }
    }

    private void restore(Checkpoint checkpoint) {
        CheckpointMaker.restore(this, checkpoint);
        attempts.avoid();
        memo = strategy.memo(checkpoint.memo());
        wakeAt = checkpoint.counts().wakeAt();
        nextGivingUp = checkpoint.counts().nextGivingUp();
        requestedWake = checkpoint.counts().requestedWake();
    }

    /** The events that restore where files are; a checkpoint does not hold it. */
    public List<Event> placed() {
        return places.events(now);
    }

    /** Starts a checkpoint of the present state. */
    public CheckpointMaker checkpoint() {
        return new CheckpointMaker(this, memo.text(), wakeAt, nextGivingUp, requestedWake);
    }

    /**
     * Ends an instant: releases idle pilot jobs and calls the strategy if anything happened.
     *
     * @return the strategy's decision, or null if it was not called; to be journaled with the instant
     */
    @Override
    public @Nullable Decision settle(long at, Effects out) {
        Decision decision = null;
        if (tidy(at, out)) {
            if (planned != workflow) {
                strategy = strategy.forWorkflow(workflow);
                planned = workflow;
            }
            sink.begin(now);
            MemoryAwareEstimator.update(estimator);
            decision = orders.withPools(strategy.decide(this, memo, estimator, sink), sink);
            carryOut(decision, sink, out);
        }
        requestWakeUp(out);
        return decision;
    }

    /** Replays the end of an instant with the decision that {@link #settle} returned. */
    public void replay(long at, @Nullable Decision decided, Effects out) {
        boolean decides = tidy(at, out);
        if (decides != (decided != null)) {
            throw new IllegalStateException("at " + at + " the strategy was " + (decides ? "not " : "")
                    + "asked when this was recorded, which contradicts the earlier records");
        }
        if (decided != null) {
            carryOut(decided, DecisionSink.NOTHING, out);
        }
        requestWakeUp(out);
    }

    /** Repeats all commands that have not been answered; {@link Effects} ignores those that it has carried out. */
    public void repeat(Effects out) {
        lifecycle.repeat(out);
        binding.repeat(out);
        if (requestedWake > now && requestedWake != Decision.NEVER) {
            out.wake(requestedWake);
        }
    }

    /** Does the work of an instant's end that needs no decision. Returns whether to call the strategy. */
    private boolean tidy(long at, Effects out) {
        now = Math.max(now, at);
        if (health.expire(now)) {
            attempts.avoid();
            attempts.fillAll(out);
            needsTidying = true;
        }
        if (needsTidying || now >= nextGivingUp) {
            nextGivingUp = lifecycle.tidy(out);
            needsTidying = false;
        }
        nextRecall = binding.ahead.recall(now, out);
        submissionFailures.settle(now);
        if (wakeAt <= now) {
            wakeAt = Decision.NEVER;
            changed = true;
        }
        if (isFinished() || progress.levels.isNothingLeft()) {
            nextGivingUp = Math.min(nextGivingUp, lifecycle.cancelUnneeded(out));
            return false;
        }
        if (!changed || submissionFailures.paused() != null || now < quietUntil()) {
            return false;
        }
        changed = false;
        sizes.update();
        arrivals.planned();
        return true;
    }

    /** The instant until which the strategy is not called. */
    private long quietUntil() {
        return isAwaited()
                ? Math.max(arrivals.quietUntil(), submissionFailures.quietUntil())
                : submissionFailures.quietUntil();
    }

    private void carryOut(Decision decision, DecisionSink sink, Effects out) {
        memo = decision.memo();
        decision.observations().forEach(out::learn);
        wakeAt = decision.wakeAt() == Decision.NEVER ? Decision.NEVER : Math.max(now + 1, decision.wakeAt());
        orders.carryOut(decision.orders(), sink, out);
    }

    private void requestWakeUp(Effects out) {
        if (requestedWake <= now) {
            requestedWake = Decision.NEVER;
        }
        long next = Math.min(binding.patientUntil(now), Math.min(nextGivingUp, nextRecall));
        if (submissionFailures.paused() == null) {
            next = Math.min(next, wakeAt);
            if (changed && quietUntil() > now) {
                next = Math.min(next, quietUntil());
            }
        }
        if (next != Decision.NEVER && next != requestedWake && !isFinished()) {
            requestedWake = next;
            out.wake(next);
        }
    }
}
