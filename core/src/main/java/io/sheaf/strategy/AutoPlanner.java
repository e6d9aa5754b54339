package io.sheaf.strategy;

import io.sheaf.manager.Considered;
import io.sheaf.manager.Order;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which pilot jobs {@link Auto} gives up, drains, shortens and asks for at one instant: each step is taken if the rest of the workflow, played
 * on without or with it, costs less.
 */
final class AutoPlanner {
    private static final long MINUTE = 60_000;

    /** A gain that is less than this part of the time left is not worth a submission. */
    static final double LEAST_GAIN = 0.005;

    /** What the present set cannot do is taken to start so much later than if it were asked for now, or a part of its time if that is more. */
    private static final long TOO_LATE = 60 * MINUTE;

    private static final int TOO_LATE_PART = 10;

    /** A queued one is shortened by no less than a tenth. */
    private static final int LEAST_CUT = 10;

    private final Profile profile;
    private final Auto.Options options;
    private final View view;
    private final StartEstimator estimator;
    private final Considered considered;
    private final LevelRange range;
    private final Rollout rollout;
    private final Shapes shapes;
    private final PlanCost worth;

    private final long[] queued;
    private int inQueue;
    private final List<Order> orders = new ArrayList<>();
    private double cost;
    /** When the rest ends if nothing is changed. */
    private long fastest;

    /** What would be held from now on with the steps chosen so far. */
    private long foreseen;

    private final ResizeMove narrowing;
    private boolean asked;
    private boolean narrowed;
    private boolean givenUp;

    AutoPlanner(
            RunTimes times,
            Profile profile,
            Auto.Options options,
            View view,
            long heldSoFar,
            StartEstimator estimator,
            Considered considered) {
        this.profile = profile;
        this.options = options;
        this.view = view;
        this.estimator = estimator;
        this.considered = considered;
        int last = view.workflow().levels() - 1;
        range = times.range(view.firstUnfinishedLevel(), last);
        rollout = new Rollout(times.tasks(), view);
        shapes = new Shapes(view, range, rollout, new Queue(view, estimator, profile), options.hasty());
        worth = new PlanCost(times, options, view, heldSoFar, rollout, shapes);
        int best = shapes.best(worth.nodePrice(), worth.patience());
        long wait = shapes.queueWait(best);
        rollout.rest(shapes.nodes(best), wait + Math.max(TOO_LATE, (wait + shapes.run(best)) / TOO_LATE_PART));
        queued = new long[view.pilotJobs()];
        narrowing = new ResizeMove(view, profile, estimator, considered, rollout, worth);
        takeStock();
    }

    /**
     * What to do.
     *
     * @param mayAsk whether something may be submitted
     * @param mayDrain whether nodes that run may be given back
     * @param narrowSince one is submitted in place of a wider one only if that has been queued since this instant
     */
    List<Order> plan(boolean mayAsk, boolean mayDrain, long narrowSince) {
        cost = worth.play();
        fastest = rollout.end();
        foreseen = rollout.held();
        if (mayDrain) {
            drain();
        }
        giveUp();
        cancelWide();
        shorten();
        if (mayAsk && view.pilotJobs() < view.cap() && inQueue < options.queued()) {
            scout();
            if (!asked) {
                ask();
            }
            if (!asked && !givenUp) {
                narrow(narrowSince);
            }
        }
        return orders;
    }

    /** Whether a pilot job is submitted. */
    boolean hasAsked() {
        return asked;
    }

    /** Whether one is submitted in place of a wider one that is queued. */
    boolean hasNarrowed() {
        return narrowed;
    }

    /** Whether a queued pilot job is cancelled. */
    boolean hasGivenUp() {
        return givenUp;
    }

    private void takeStock() {
        for (int i = 0; i < view.pilotJobs(); i++) {
            if (view.pilotJob(i).isQueued()) {
                queued[inQueue++] = view.pilotJob(i).token();
            }
        }
        StartTimes starts = new StartTimes();
        if (inQueue > 0) {
            estimator.estimate(StartQuery.ofQueued(view.now(), queued, inQueue), starts);
        }
        int next = 0;
        for (int i = 0; i < view.pilotJobs(); i++) {
            PilotJob p = view.pilotJob(i);
            if (p.isQueued()) {
                rollout.add(p, rollout.expected(starts.queued(next++)));
            } else if (p.isRunning()) {
                rollout.add(p, p.startedAt());
            }
        }
    }

    /** Whether more would be held than may be, and less as it was played last. */
    private boolean sparesTooMuch() {
        return worth.isTooMuch(foreseen) && rollout.held() < foreseen;
    }

    /** Whether what was played last does not end much later than if nothing were changed. */
    private boolean isInTime() {
        return worth.isInTime(rollout.end(), fastest);
    }

    /** Gives nodes back that run with few tasks, where others run that can take over. */
    private void drain() {
        for (int i = 0; i < rollout.size(); i++) {
            PilotJob p = rollout.pilotJob(i);
            if (p != null && p.isRunning() && !p.isDraining() && p.runningTasks() > 0) {
                rollout.drain(i, true);
                double without = worth.play();
                // What is sure to be there is not given up for what would have to be asked for.
                boolean gains = without < cost - MINUTE && isInTime();
                if (!rollout.leftARest() && (gains || sparesTooMuch())) {
                    orders.add(new Order.Drain(p.token()));
                    cost = without;
                    foreseen = rollout.held();
                } else {
                    rollout.drain(i, false);
                }
            }
        }
    }

    /** Cancels what is queued or idle and makes things worse. */
    private void giveUp() {
        int left = 0;
        for (int i = 0; i < rollout.size(); i++) {
            left += isIdle(rollout.pilotJob(i)) ? 0 : 1;
        }
        for (int i = 0; i < rollout.size(); i++) {
            PilotJob p = rollout.pilotJob(i);
            boolean idle = isIdle(p);
            if (idle && view.isAwaited() && view.nextReady(0) < 0) {
                // Whoever carries this out gives it back in time.
                continue;
            }
            // The last one keeps its place: what would be asked for instead would be at the end of the queue.
            if (p != null && (idle || (p.isQueued() && left > 1))) {
                rollout.leaveOut(i, true);
                double without = worth.play();
                boolean gains = isInTime() && (idle ? without <= cost : without < cost - MINUTE);
                if (gains || sparesTooMuch()) {
                    orders.add(new Order.Cancel(p.token()));
                    cost = without;
                    foreseen = rollout.held();
                    left -= idle ? 0 : 1;
                    givenUp |= !idle;
                    inQueue -= idle ? 0 : 1;
                } else {
                    rollout.leaveOut(i, false);
                }
            }
        }
    }

    /** Cancels a queued one in whose place a narrower one is queued by now. */
    private void cancelWide() {
        int needless = narrowing.needless();
        if (needless >= 0) {
            orders.add(new Order.Cancel(rollout.token(needless)));
            cost = worth.play();
            foreseen = rollout.held();
            givenUp = true;
            inQueue--;
        }
    }

    /** Submits one of fewer nodes in place of a queued one, which stays until that is queued. */
    private void narrow(long since) {
        Order.Submit order = narrowing.order(range.minNodes(), since);
        if (order != null) {
            orders.add(order);
            asked = true;
            narrowed = true;
        }
    }

    private static boolean isIdle(@Nullable PilotJob p) {
        return p != null && p.isRunning() && p.runningTasks() == 0;
    }

    /** A queued one need not be longer than all that is left would take on its nodes, as long as that has not been seen to be wrong and no more is likely to come. */
    private void shorten() {
        if (view.expiries() > 0 || view.isAwaited()) {
            return;
        }
        for (int i = 0; i < view.pilotJobs(); i++) {
            PilotJob p = view.pilotJob(i);
            int nodes = p.request().units();
            if (p.isQueued() && nodes >= range.minNodes()) {
                long needed = profile.request(rollout.alone(nodes));
                if (needed < p.request().walltime() - p.request().walltime() / LEAST_CUT) {
                    orders.add(new Order.Shorten(p.token(), needed));
                }
            }
        }
    }

    /** Submits the shape with the greatest gain, if that is worth it. */
    private void ask() {
        // Where one is cancelled now, it is not known when the others start.
        int known = givenUp ? 0 : inQueue;
        AddJobMove more = new AddJobMove(view, profile, estimator, considered, rollout, shapes, worth, queued, known);
        Order.Submit order = more.order(cost);
        if (order != null) {
            asked = true;
            orders.add(order);
        }
    }

    /** Has a short one look for a hole, where that is worth while. */
    private void scout() {
        Order.Submit order =
                givenUp ? null : new Scout(view, profile, estimator).order(range.minNodes(), queued, inQueue);
        if (order != null) {
            considered.chosen("a short one may start earlier, and tasks may take less than is allowed for");
            asked = true;
            orders.add(order);
        }
    }
}
