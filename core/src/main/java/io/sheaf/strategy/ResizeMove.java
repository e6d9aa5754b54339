package io.sheaf.strategy;

import io.sheaf.manager.Claim;
import io.sheaf.manager.Considered;
import io.sheaf.manager.Order;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Request;
import io.sheaf.manager.View;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of a queued pilot job that has more nodes than what is left needs for one that has fewer, as far as it can go at one instant.
 *
 * <p>Nodes cannot be taken from a queued job, so the narrower one is submitted, and the wide one cancelled when the batch system is known to have that: the work always has a place in the queue, and where the
 * submission is refused or its reply is lost the wide one stays. A new place is at the end of the queue: both steps are taken only if what is left would end no later without the wide one and with the narrower one where that would
 * start then, which may not be later either, and costs less by more than what is not worth a submission.
 */
final class ResizeMove {
    private static final long MINUTE = 60_000;

    /** The narrower one has three quarters of the nodes at most. */
    private static final int NODES = 3;

    private static final int OF_NODES = 4;

    /** One that starts within this time is left alone: it would before it could be cancelled. */
    private static final long ABOUT_TO_START = 5 * MINUTE;

    private static final long NEW = -2;

    private final View view;
    private final Profile profile;
    private final StartEstimator estimator;
    private final Considered considered;
    private final Rollout rollout;
    private final PlanCost worth;

    /** What is played with the present set: its cost and when it ends. */
    private double costNow;

    private long end;

    /** Over a rollout that has been filled with what there is. */
    ResizeMove(
            View view,
            Profile profile,
            StartEstimator estimator,
            Considered considered,
            Rollout rollout,
            PlanCost worth) {
        this.view = view;
        this.profile = profile;
        this.estimator = estimator;
        this.considered = considered;
        this.rollout = rollout;
        this.worth = worth;
    }

    /** One to be submitted in place of one that has been queued since some instant at least; null if none is much wider than it need be, or while it is being exchanged. */
    Order.@Nullable Submit order(int minNodes, long since) {
        Order.Submit order = null;
        for (int i = 0; i < rollout.size() && order == null; i++) {
            PilotJob wide = queued(i);
            int most = wide == null ? 0 : rollout.nodes(i) * NODES / OF_NODES;
            boolean waits =
                    wide != null && wide.submittedAt() <= since && rollout.start(i) > view.now() + ABOUT_TO_START;
            if (wide != null && waits && most >= minNodes && mayBegin() && standIn(wide) == null && isAllDone()) {
                order = narrower(i, wide, minNodes, most);
            }
        }
        return order;
    }

    /** The number of a queued one in the rollout that others which are queued and narrower have made needless; −1 if there is none. */
    int needless() {
        for (int i = 0; i < rollout.size(); i++) {
            PilotJob wide = queued(i);
            PilotJob narrow = wide == null ? null : standIn(wide);
            if (wide != null && narrow != null && isSure() && isAllDone() && isEnough(i, wide, narrow)) {
                considered.chosen(
                        instead(narrow.request().units(), wide.request().units())
                                + " in the queue: what is left needs no more");
                return i;
            }
        }
        return -1;
    }

    /** While more tasks are likely to come, or run times have been seen to be wrong, what is left may need all nodes after all. */
    private boolean isSure() {
        return !view.isAwaited() && view.expiries() == 0 && estimator.basis() != Basis.NONE;
    }

    /** Nothing is begun while it is not known what came of an earlier submission. */
    private boolean mayBegin() {
        for (int k = 0; k < view.pilotJobs(); k++) {
            if (view.pilotJob(k).isQueued() && !view.pilotJob(k).isAccepted()) {
                return false;
            }
        }
        return isSure();
    }

    /** Plays the present set; whether it can do all that is left. */
    private boolean isAllDone() {
        costNow = worth.play();
        end = rollout.end();
        return !rollout.leftARest();
    }

    /** The queued pilot job of a number in the rollout; null if it is no such one, or has been given up. */
    private @Nullable PilotJob queued(int i) {
        PilotJob p = rollout.isLeftOut(i) ? null : rollout.pilotJob(i);
        return p != null && p.isQueued() ? p : null;
    }

    /** The queued one that came after a wide one, is much narrower, and known to the batch system; null if there is none. */
    private @Nullable PilotJob standIn(PilotJob wide) {
        for (int k = 0; k < view.pilotJobs(); k++) {
            PilotJob p = view.pilotJob(k);
            boolean narrow = p.request().units() * OF_NODES <= wide.request().units() * NODES;
            boolean queued = p.isAccepted() && !rollout.isLeftOut(rollout.number(p.token()));
            if (narrow && queued && p.token() > wide.token()) {
                return p;
            }
        }
        return null;
    }

    private Order.@Nullable Submit narrower(int i, PilotJob wide, int minNodes, int most) {
        rollout.leaveOut(i, true);
        Order.Submit order = null;
        long start = rollout.start(i);
        long walltime = wide.request().walltime();
        if (isGain(most, start, walltime)) {
            int nodes = fewest(start, walltime, minNodes, most);
            walltime = Math.min(walltime, profile.request(rollout.alone(nodes)));
            StartQuery query = StartQuery.ofQueued(view.now(), new long[0], 0)
                    .add(0, nodes, walltime)
                    .cancelling(wide.token());
            long then = Math.max(view.now(), estimator.estimate(query).job(0));
            if (then <= start && isGain(nodes, then, walltime)) {
                note(wide.request().units(), nodes, walltime, then);
                order = new Order.Submit(
                        Request.of(nodes, walltime),
                        Claim.levels(0, view.workflow().levels() - 1).onlyWhatFits());
            }
        }
        rollout.leaveOut(i, false);
        return order;
    }

    private void note(int wide, int nodes, long walltime, long start) {
        String what = instead(nodes, wide);
        considered.option(what, nodes, walltime, start - view.now(), rollout.end() - view.now());
        considered.chosen("asks for " + what + ": what is left needs no more, and that starts no later");
    }

    private static String instead(int nodes, int wide) {
        return nodes + (nodes == 1 ? " node" : " nodes") + " instead of " + wide;
    }

    /** The fewest nodes with which all ends as early as with the most. */
    private int fewest(long start, long walltime, int minNodes, int most) {
        int tooFew = minNodes - 1;
        int enough = most;
        while (enough - tooFew > 1) {
            int middle = (tooFew + enough) >>> 1;
            if (isGain(middle, start, walltime)) {
                enough = middle;
            } else {
                tooFew = middle;
            }
        }
        return enough;
    }

    /** Whether one more pilot job makes good for what is left out: all ends no later, and costs much less. */
    private boolean isGain(int nodes, long start, long walltime) {
        rollout.add(NEW, start, start + walltime, nodes);
        boolean gains = isGain();
        rollout.removeLast();
        return gains;
    }

    private boolean isGain() {
        double least = Math.max(MINUTE, AutoPlanner.LEAST_GAIN * (end - view.now()));
        return worth.play() <= costNow - least && rollout.end() <= end && !rollout.leftARest();
    }

    /** Whether one that is queued makes good for a wide one, from when it would start without that. */
    private boolean isEnough(int i, PilotJob wide, PilotJob narrow) {
        long wideStart = rollout.start(i);
        long before = rollout.start(rollout.number(narrow.token()));
        rollout.leaveOut(i, true);
        rollout.expect(narrow.token(), Math.min(before, wideStart));
        boolean enough = isGain();
        if (enough) {
            StartQuery query = StartQuery.ofQueued(view.now(), new long[] {narrow.token()}, 1)
                    .cancelling(wide.token());
            long then = Math.max(view.now(), estimator.estimate(query).queued(0));
            enough = then <= wideStart;
            rollout.expect(narrow.token(), enough ? then : before);
            enough = enough && isGain();
        }
        if (!enough) {
            rollout.expect(narrow.token(), before);
        }
        rollout.leaveOut(i, enough);
        return enough;
    }
}
