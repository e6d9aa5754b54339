package io.sheaf.manager;

import io.sheaf.manager.PilotJob.State;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Handles the states of pilot jobs: applies reported events, releases idle jobs, and cancels jobs that are not needed or do not connect. */
record Lifecycle(ManagedRun run, Attempts attempts) {
    void accepted(Event.Accepted event) {
        PilotJob p = run.byToken.get(event.token());
        if (p != null && p.state == State.SUBMITTED) {
            p.state = State.ACCEPTED;
            run.submissionFailures.accepted();
        }
    }

    void refused(Event.Refused event) {
        PilotJob p = run.byToken.get(event.token());
        if (p == null) {
            return;
        }
        if (p.isQueued()) {
            if (p.state == State.ACCEPTED) {
                run.submissionFailures.refusedLater(event.reason());
            } else {
                run.submissionFailures.refused(event.reason());
            }
            run.leave(p);
        } else if (p.state == State.CANCELLED && p.startedAt < 0) {
            run.leave(p);
        }
    }

    void started(Event.Started event, Effects out) {
        PilotJob p = begun(event.token(), event.at(), event.nodesUp(), out);
        if (p == null) {
            return;
        }
        if (event.nodesUp()) {
            p.nodesUp(run.node(p.request.pool()));
        }
        attempts.fill(p, out);
        releaseIfIdle(p, out);
    }

    void granted(Event.Granted event, Effects out) {
        PilotJob p = begun(event.token(), event.at(), false, out);
        if (p != null) {
            p.grant(Math.min(event.units(), p.request.units()), Math.min(event.walltime(), p.request.walltime()));
            run.changed = true;
        }
    }

    void nodeUp(Event.NodeUp event, Effects out) {
        PilotJob p = begun(event.token(), event.at(), true, out);
        if (p != null && p.hasNode(event.node())) {
            p.nodeUp(event.node(), Objects.requireNonNullElseGet(event.resources(), () -> run.node(p.request.pool())));
            if (!event.host().isEmpty() && p.isUp(event.node())) {
                p.named(event.node(), event.host());
                run.health.called(event.host());
                attempts.avoid();
            }
            attempts.fill(p, out);
        }
    }

    void nodeLost(Event.NodeLost event, Effects out) {
        PilotJob p = begun(event.token(), event.at(), false, out);
        if (p != null && p.hasNode(event.node()) && p.nodeLost(event.node())) {
            attempts.endAttempts(p, event.node(), Event.End.LOST, out);
            attempts.avoid();
            run.changed = true;
            attempts.fillAll(out);
            releaseIfIdle(p, out);
        }
    }

    /** Marks a pilot job as started because of an event that implies it. Returns null if it has ended. */
    private @Nullable PilotJob begun(long token, long at, boolean connected, Effects out) {
        if (connected && token < run.nextToken) {
            run.submissionFailures.nodeUp();
        }
        PilotJob p = run.byToken.get(token);
        if (p == null) {
            return null;
        }
        if (p.state == State.CANCELLED && p.startedAt < 0) {
            out.cancel(token);
        } else if (p.isQueued()) {
            p.state = State.RUNNING;
            run.submissionFailures.accepted();
            run.changed = true;
        }
        p.startedAt = p.startedAt < 0 ? at : Math.min(p.startedAt, at);
        return p;
    }

    void ended(Event.Ended event, Effects out) {
        PilotJob p = run.byToken.get(event.token());
        if (p == null) {
            return;
        }
        boolean interrupted = attempts.endAttempts(p, Attempts.ALL_NODES, event.how(), out);
        if (!p.isEnding()) {
            run.expiries += interrupted || run.binding.work.hasWork(p) ? 1 : 0;
            if (!p.everUp && event.how() != Event.End.PREEMPTED) {
                run.submissionFailures.neverConnected(
                        "was " + event.how().name().toLowerCase(Locale.ROOT));
            }
        }
        run.leave(p);
        attempts.avoid();
        attempts.fillAll(out);
    }

    void cancel(PilotJob p, Effects out) {
        p.state = State.CANCELLED;
        out.cancel(p.token);
    }

    void cancelAll(Effects out) {
        for (PilotJob p : run.pilotJobs) {
            if (!p.isEnding()) {
                cancel(p, out);
            }
        }
    }

    /** Cancels queued and idle pilot jobs when no work is left, unless they are {@linkplain IdleRetention kept}. Returns when to check again. */
    long cancelUnneeded(Effects out) {
        long next = Decision.NEVER;
        for (PilotJob p : run.pilotJobs) {
            if (p.isQueued() || (p.isRunning() && p.runningTasks == 0)) {
                if (!run.isFinished() && IdleRetention.keeps(p, run)) {
                    next = Math.min(next, IdleRetention.until(p, run));
                } else {
                    cancel(p, out);
                }
            }
        }
        return next;
    }

    /** Ends pilot jobs that do not connect in time or are idle. Returns when to check again. */
    long tidy(Effects out) {
        long next = Decision.NEVER;
        for (PilotJob p : run.pilotJobs) {
            if (p.isRunning() && !p.everUp) {
                long until = p.startedAt + run.rules.callWithin;
                if (run.now < until) {
                    next = Math.min(next, until);
                } else {
                    giveUp(p, out);
                }
            }
            releaseIfIdle(p, out);
            if (p.isRunning() && p.isKept()) {
                next = Math.min(next, IdleRetention.until(p, run));
            }
        }
        return next;
    }

    private void giveUp(PilotJob p, Effects out) {
        run.expiries += run.binding.work.hasWork(p) ? 1 : 0;
        run.submissionFailures.neverConnected("was given up");
        run.changed = true;
        cancel(p, out);
    }

    /** Releases a pilot job if it is idle: another one ran its tasks, or it cannot run them. One that is preempted ends by itself. */
    void releaseIfIdle(PilotJob p, Effects out) {
        if (!p.isRunning() || p.runningTasks > 0 || p.preempted) {
            return;
        }
        boolean hasWork = run.binding.work.hasWork(p);
        boolean fewer = p.lostNodes + p.avoidedNodes > 0 || (run.health.hasOpen() && p.isAllUp());
        boolean takesNone =
                p.closing || p.draining || (fewer && !run.binding.isEnough(p)) || (hasWork && isTooSmall(p));
        if (hasWork && !takesNone) {
            p.needed(run.now);
        } else if (takesNone || !IdleRetention.keeps(p, run)) {
            run.expiries += hasWork && !p.draining ? 1 : 0;
            if (hasWork && !p.everUp) {
                run.submissionFailures.lost();
            }
            p.state = State.RELEASED;
            out.release(p.token);
        }
    }

    /**
     * Whether none of the tasks that an idle pilot job may run fits its nodes, because they have less than expected or a task needs more. Where no pool
     * has nodes for all tasks, it is also too small if no task runs and no pilot job can run a ready one: tasks that fit wait for tasks of other nodes.
     */
    private boolean isTooSmall(PilotJob p) {
        return run.countsMore && p.isAllUp() && (isStuck() || !run.binding.work.isLargeEnough(p));
    }

    private boolean isStuck() {
        return run.pools().areEachTooSmall(run.node())
                && run.nextRunning(0) < 0
                && run.nextReady(0) >= 0
                && run.pilotJobs.stream()
                        .filter(p -> !p.isEnding())
                        .noneMatch(p -> run.binding.work.isAnyReady(p.claim, run.node(p.request.pool())));
    }

    /** Repeats commands that have not been answered. */
    void repeat(Effects out) {
        for (PilotJob p : run.pilotJobs) {
            if (p.state == State.SUBMITTED) {
                out.submit(p.token, p.request);
            }
            if (p.isQueued() && p.shortened) {
                out.shorten(p.token, p.request.walltime());
            } else if (p.state == State.CANCELLED) {
                out.cancel(p.token);
            } else if (p.state == State.RELEASED) {
                out.release(p.token);
            }
        }
    }
}
