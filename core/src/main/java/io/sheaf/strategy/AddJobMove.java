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
import io.sheaf.predict.StartTimes;
import org.jspecify.annotations.Nullable;

/** The pilot job that {@link Auto} asks for beside those that there are: of all {@link Shapes} the one with the greatest gain. */
final class AddJobMove {
    private static final long MINUTE = 60_000;

    /** A pilot job that is needed for less than this part of its time asks for no more than it is needed. */
    private static final double TRIMMED = 0.5;

    private static final long NEW = -2;

    private final View view;
    private final Profile profile;
    private final StartEstimator estimator;
    private final Considered considered;
    private final Rollout rollout;
    private final Shapes shapes;
    private final PlanCost worth;
    /** The tokens of those in the queue that are expected anew with this one among them. */
    private final long[] queued;

    private final int inQueue;

    /** For each shape the cost with it, when the workflow ends, what is held, and whether it is best with the widest one draining. */
    private final double[] costs;

    private final long[] ends;
    private final long[] helds;
    private final boolean[] takesOver;

    /**
     * Beside a set.
     *
     * @param shapes without those for shorter times, which are added
     */
    AddJobMove(
            View view,
            Profile profile,
            StartEstimator estimator,
            Considered considered,
            Rollout rollout,
            Shapes shapes,
            PlanCost worth,
            long[] queued,
            int inQueue) {
        this.view = view;
        this.profile = profile;
        this.estimator = estimator;
        this.considered = considered;
        this.rollout = rollout;
        this.shapes = shapes;
        this.worth = worth;
        this.queued = queued;
        this.inQueue = inQueue;
        shapes.addShorter();
        costs = new double[shapes.size()];
        ends = new long[shapes.size()];
        helds = new long[shapes.size()];
        takesOver = new boolean[shapes.size()];
    }

    /** The order for the shape with the greatest gain over what the present set costs; null if none is worth it. */
    Order.@Nullable Submit order(double cost) {
        rollout.play();
        double least = cost - Math.max(MINUTE, AutoPlanner.LEAST_GAIN * (rollout.end() - view.now()));
        long first = rollout.leftARest() ? Long.MAX_VALUE : rollout.end();
        long tooLate = considered.isWanted() ? Long.MAX_VALUE : first;
        for (int i = 0; i < shapes.size(); i++) {
            with(i, tooLate);
            first = Math.min(first, ends[i]);
        }
        int chosen = -1;
        for (int i = 0; i < shapes.size(); i++) {
            if (worth.isInTime(ends[i], first) && costs[i] < least) {
                least = costs[i];
                chosen = i;
            }
        }
        chosen = chosen < 0 && view.pilotJobs() == 0 ? leastHeld() : chosen;
        if (chosen < 0) {
            return null;
        }
        long run = takesOver[chosen] ? shapes.run(chosen) : trimmed(chosen);
        int nodes = run == shapes.run(chosen) ? shapes.fewest(chosen, rollout) : shapes.nodes(chosen);
        // What is likely to come may take as long as any of what is there may.
        run = view.isAwaited() ? Math.max(run, shapes.longestReady()) : run;
        if (!isBetterTogether(nodes, run, cost)) {
            return null;
        }
        considered.chosen("the greatest gain");
        return new Order.Submit(
                Request.of(nodes, profile.request(run)),
                Claim.levels(0, view.workflow().levels() - 1).onlyWhatFits());
    }

    /** Of all shapes the one with which least would be held, for want of one that may be asked for. */
    private int leastHeld() {
        int least = -1;
        for (int i = 0; i < shapes.size(); i++) {
            boolean less = helds[i] < Long.MAX_VALUE && (least < 0 || helds[i] < helds[least]);
            least = less ? i : least;
        }
        return least;
    }

    /** Finds cost and end with one more, unless it would start too late to be of use; if that is narrow and starts at once, also with the one that it could take over from draining. */
    private void with(int i, long tooLate) {
        costs[i] = Double.MAX_VALUE;
        ends[i] = Long.MAX_VALUE;
        helds[i] = Long.MAX_VALUE;
        long start = view.now() + shapes.queueWait(i);
        if (start >= tooLate || shapes.isDominated(i)) {
            return;
        }
        rollout.add(NEW, start, start + profile.request(shapes.run(i)), shapes.nodes(i));
        double with = worth.play();
        helds[i] = rollout.held();
        if (worth.isTooMuch(helds[i])) {
            rollout.removeLast();
            return;
        }
        costs[i] = with;
        ends[i] = rollout.end();
        if (considered.isWanted()) {
            considered.option(
                    shapes.nodes(i) + " nodes more",
                    shapes.nodes(i),
                    profile.request(shapes.run(i)),
                    shapes.queueWait(i),
                    rollout.end() - view.now());
        }
        int widest = widest();
        if (shapes.queueWait(i) == 0
                && widest >= 0
                && rollout.nodes(widest) > shapes.nodes(i)
                && worth.nodePrice() > 0) {
            rollout.drain(widest, true);
            double draining = worth.play();
            if (!rollout.leftARest() && draining < costs[i] && worth.isInTime(rollout.end(), ends[i])) {
                takesOver[i] = true;
                costs[i] = draining;
                ends[i] = rollout.end();
            }
            rollout.drain(widest, false);
        }
        rollout.removeLast();
    }

    /** The widest pilot job that runs; −1 if none does. */
    private int widest() {
        int widest = -1;
        for (int i = 0; i < rollout.size(); i++) {
            PilotJob p = rollout.pilotJob(i);
            boolean may = p != null && p.isRunning() && !p.isDraining();
            if (may && (widest < 0 || rollout.nodes(i) > rollout.nodes(widest))) {
                widest = i;
            }
        }
        return widest;
    }

    /** The time to ask for: what it is needed for if that is much less, and no more is likely to come. */
    private long trimmed(int i) {
        if (view.isAwaited()) {
            return shapes.run(i);
        }
        long start = view.now() + shapes.queueWait(i);
        int added = rollout.add(NEW, start, start + profile.request(shapes.run(i)), shapes.nodes(i));
        rollout.play();
        long needed = Math.max(shapes.longestReady(), rollout.lastEnd(added) - start);
        rollout.removeLast();
        return needed > 0 && needed < shapes.run(i) * TRIMMED ? needed : shapes.run(i);
    }

    /** Whether there is a gain, too, when what is queued already is expected anew with this one among it. */
    private boolean isBetterTogether(int nodes, long run, double cost) {
        if (inQueue == 0 || estimator.basis() == Basis.PROMISE) {
            return true;
        }
        StartTimes starts = estimator.estimate(
                StartQuery.ofQueued(view.now(), queued, inQueue).add(0, nodes, profile.request(run)));
        long[] before = new long[inQueue];
        for (int q = 0; q < inQueue; q++) {
            before[q] = rollout.start(rollout.number(queued[q]));
            rollout.expect(queued[q], rollout.expected(starts.queued(q)));
        }
        long start = rollout.expected(starts.job(0));
        rollout.add(NEW, start, start + profile.request(run), nodes);
        double with = worth.play();
        rollout.removeLast();
        for (int q = 0; q < inQueue; q++) {
            rollout.expect(queued[q], before[q]);
        }
        return with < cost - MINUTE;
    }
}
