package io.sheaf.strategy;

import io.sheaf.manager.Claim;
import io.sheaf.manager.Considered;
import io.sheaf.manager.Order;
import io.sheaf.manager.Placeholder;
import io.sheaf.manager.Request;
import io.sheaf.manager.View;
import io.sheaf.predict.Estimator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which placeholders {@link Auto} gives up, retires, shortens and asks for at one instant: each step is taken if the rest of the workflow, played
 * on without or with it, costs less.
 */
final class Hedge {
    private static final long MINUTE = 60_000;

    /** Node time is not saved by a step that makes the rest take longer than the fastest by more than this part, where that has to wait. */
    private static final double PATIENCE = 0.05;

    /** The same where the fastest starts at once, so that its end is sure: it is taken as any other strategy would. */
    private static final double NO_PATIENCE = 0;

    /** A gain that is less than this part of the time left is not worth a submission. */
    static final double LEAST_GAIN = 0.005;

    /** What the present set cannot do is taken to start so much later than if it were asked for now, or a part of its time if that is more. */
    private static final long TOO_LATE = 60 * MINUTE;

    private static final int TOO_LATE_PART = 10;

    /** A placeholder that is needed for less than this part of its time asks for no more than it is needed. */
    private static final double TRIMMED = 0.5;

    /** A queued one is shortened by no less than a tenth. */
    private static final int LEAST_CUT = 10;

    /** What is added to λ for node time beyond all measure. */
    private static final double DEAR = 2;

    private static final long NEW = -2;

    private final Profile profile;
    private final Auto.Options options;
    private final View view;
    private final Estimator estimator;
    private final Considered considered;
    private final LevelRange range;
    private final Rollout rollout;
    private final Shapes shapes;
    /** What a node-millisecond is worth, in milliseconds. */
    private final double nodePrice;

    /** What has been held until now. */
    private final long heldSoFar;

    /** Node time beyond the first is dear, and what it is worth more; beyond the second nothing is asked for. */
    private final double muchHeld;

    private final double mostHeld;

    private final double wastePrice;
    private final double patience;

    private final long[] queued;
    private int inQueue;
    private final List<Order> orders = new ArrayList<>();
    private double cost;
    /** When the rest ends if nothing is changed. */
    private long fastest;

    /** What would be held from now on with the steps chosen so far. */
    private long foreseen;

    /** For each shape the cost with it, when the workflow ends, and whether it is best with the widest one retired. */
    private double[] costs = {};

    private long[] ends = {};
    private long[] helds = {};
    private boolean[] takesOver = {};

    private final Narrowing narrowing;
    private boolean asked;
    private boolean narrowed;
    private boolean givenUp;

    Hedge(
            RunTimes times,
            Profile profile,
            Auto.Options options,
            View view,
            long heldSoFar,
            Estimator estimator,
            Considered considered) {
        this.profile = profile;
        this.options = options;
        this.view = view;
        this.heldSoFar = heldSoFar;
        this.estimator = estimator;
        this.considered = considered;
        int last = view.workflow().levels() - 1;
        LevelRange all = times.range(0, last);
        int cores = times.partsPerNode();
        double parallelism = (double) Math.max(1, all.work()) / Math.max(1, all.criticalPath()) / cores;
        nodePrice = options.lambda() / parallelism;
        wastePrice = DEAR / parallelism;
        range = times.range(view.firstUnfinishedLevel(), last);
        muchHeld = options.waste() * all.work() / cores;
        mostHeld = options.most() * all.work() / cores;
        rollout = new Rollout(times.tasks(), view);
        shapes = new Shapes(view, range, rollout, new Queue(view, estimator, profile), options.hasty());
        patience = shapes.queueWait(shapes.first()) == 0 ? NO_PATIENCE : PATIENCE;
        int best = shapes.best(nodePrice, patience);
        long wait = shapes.queueWait(best);
        rollout.rest(shapes.nodes(best), wait + Math.max(TOO_LATE, (wait + shapes.run(best)) / TOO_LATE_PART));
        queued = new long[view.placeholders()];
        narrowing = new Narrowing(view, profile, estimator, considered, rollout, this::play);
        takeStock();
    }

    /**
     * What to do.
     *
     * @param mayAsk whether something may be submitted
     * @param mayRetire whether nodes that run may be given back
     * @param narrowSince one is submitted in place of a wider one only if that has been queued since this instant
     */
    List<Order> plan(boolean mayAsk, boolean mayRetire, long narrowSince) {
        cost = play();
        fastest = rollout.end();
        foreseen = rollout.held();
        if (mayRetire) {
            retire();
        }
        giveUp();
        withdrawWide();
        shorten();
        if (mayAsk && view.placeholders() < view.cap() && inQueue < options.queued()) {
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

    /** Whether a placeholder is submitted. */
    boolean hasAsked() {
        return asked;
    }

    /** Whether one is submitted in place of a wider one that is queued. */
    boolean hasNarrowed() {
        return narrowed;
    }

    /** Whether a queued placeholder is withdrawn. */
    boolean hasGivenUp() {
        return givenUp;
    }

    private void takeStock() {
        for (int i = 0; i < view.placeholders(); i++) {
            if (view.placeholder(i).isQueued()) {
                queued[inQueue++] = view.placeholder(i).token();
            }
        }
        long[] starts = new long[inQueue + 1];
        if (inQueue > 0) {
            estimator.together(view.now(), queued, inQueue, 0, 0, 0, starts);
        }
        int next = 0;
        for (int i = 0; i < view.placeholders(); i++) {
            Placeholder p = view.placeholder(i);
            if (p.isQueued()) {
                rollout.add(p, expected(starts[next++]));
            } else if (p.isRunning()) {
                rollout.add(p, p.startedAt());
            }
        }
    }

    /** One of which nothing is known may start at any moment. */
    private long expected(long start) {
        return start == Long.MAX_VALUE ? view.now() : Math.max(view.now(), start);
    }

    private double play() {
        rollout.play();
        return rollout.end()
                - view.now()
                + nodePrice * rollout.held()
                + wastePrice * Math.max(0, rollout.held() - muchHeld);
    }

    /** Whether what was played last does not end much later than at an instant. */
    private boolean isInTime(long instant) {
        return rollout.end() - view.now() <= (1 + patience) * (instant - view.now());
    }

    /** Whether more would be held than may be, and less as it was played last. */
    private boolean sparesTooMuch() {
        return heldSoFar + foreseen > mostHeld && rollout.held() < foreseen;
    }

    private @Nullable Placeholder placeholder(int i) {
        for (int k = 0; k < view.placeholders(); k++) {
            if (view.placeholder(k).token() == rollout.token(i)) {
                return view.placeholder(k);
            }
        }
        return null;
    }

    /** Gives nodes back that run with few tasks, where others run that can take over. */
    private void retire() {
        for (int i = 0; i < rollout.size(); i++) {
            Placeholder p = placeholder(i);
            if (p != null && p.isRunning() && !p.isRetired() && p.runningTasks() > 0) {
                rollout.retire(i, true);
                double without = play();
                // What is sure to be there is not given up for what would have to be asked for.
                boolean gains = without < cost - MINUTE && isInTime(fastest);
                if (!rollout.leftARest() && (gains || sparesTooMuch())) {
                    orders.add(new Order.Retire(p.token()));
                    cost = without;
                    foreseen = rollout.held();
                } else {
                    rollout.retire(i, false);
                }
            }
        }
    }

    /** Withdraws what is queued or idle and makes things worse. */
    private void giveUp() {
        int left = 0;
        for (int i = 0; i < rollout.size(); i++) {
            left += isIdle(placeholder(i)) ? 0 : 1;
        }
        for (int i = 0; i < rollout.size(); i++) {
            Placeholder p = placeholder(i);
            boolean idle = isIdle(p);
            if (idle && view.isAwaited() && view.nextReady(0) < 0) {
                // Whoever carries this out gives it back in time.
                continue;
            }
            // The last one keeps its place: what would be asked for instead would be at the end of the queue.
            if (p != null && (idle || (p.isQueued() && left > 1))) {
                rollout.leaveOut(i, true);
                double without = play();
                boolean gains = isInTime(fastest) && (idle ? without <= cost : without < cost - MINUTE);
                if (gains || sparesTooMuch()) {
                    orders.add(new Order.Withdraw(p.token()));
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

    /** Withdraws a queued one in whose place a narrower one is queued by now. */
    private void withdrawWide() {
        int needless = narrowing.needless();
        if (needless >= 0) {
            orders.add(new Order.Withdraw(rollout.token(needless)));
            cost = play();
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

    private static boolean isIdle(@Nullable Placeholder p) {
        return p != null && p.isRunning() && p.runningTasks() == 0;
    }

    /** A queued one need not be longer than all that is left would take on its nodes, as long as that has not been seen to be wrong and no more is likely to come. */
    private void shorten() {
        if (view.expiries() > 0 || view.isAwaited()) {
            return;
        }
        for (int i = 0; i < view.placeholders(); i++) {
            Placeholder p = view.placeholder(i);
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
        shapes.addShorter();
        costs = new double[shapes.size()];
        ends = new long[shapes.size()];
        helds = new long[shapes.size()];
        takesOver = new boolean[shapes.size()];
        rollout.play();
        double least = cost - Math.max(MINUTE, LEAST_GAIN * (rollout.end() - view.now()));
        long first = rollout.leftARest() ? Long.MAX_VALUE : rollout.end();
        long tooLate = considered.isWanted() ? Long.MAX_VALUE : first;
        for (int i = 0; i < shapes.size(); i++) {
            with(i, tooLate);
            first = Math.min(first, ends[i]);
        }
        int chosen = -1;
        for (int i = 0; i < shapes.size(); i++) {
            boolean inTime = ends[i] - view.now() <= (1 + patience) * (first - view.now());
            if (inTime && costs[i] < least) {
                least = costs[i];
                chosen = i;
            }
        }
        chosen = chosen < 0 && view.placeholders() == 0 ? leastHeld() : chosen;
        if (chosen < 0) {
            return;
        }
        long run = takesOver[chosen] ? shapes.run(chosen) : trimmed(chosen);
        int nodes = run == shapes.run(chosen) ? shapes.fewest(chosen, rollout) : shapes.nodes(chosen);
        // What is likely to come may take as long as any of what is there may.
        run = view.isAwaited() ? Math.max(run, shapes.longestReady()) : run;
        if (!isBetterTogether(nodes, run)) {
            return;
        }
        considered.chosen("the greatest gain");
        asked = true;
        orders.add(new Order.Submit(
                Request.of(nodes, profile.request(run)),
                Claim.levels(0, view.workflow().levels() - 1).onlyWhatFits()));
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

    /** Of all shapes the one with which least would be held, for want of one that may be asked for. */
    private int leastHeld() {
        int least = -1;
        for (int i = 0; i < shapes.size(); i++) {
            boolean less = helds[i] < Long.MAX_VALUE && (least < 0 || helds[i] < helds[least]);
            least = less ? i : least;
        }
        return least;
    }

    /** Finds cost and end with one more, unless it would start too late to be of use; if that is narrow and starts at once, also with the one that it could take over from retired. */
    private void with(int i, long tooLate) {
        costs[i] = Double.MAX_VALUE;
        ends[i] = Long.MAX_VALUE;
        helds[i] = Long.MAX_VALUE;
        long start = view.now() + shapes.queueWait(i);
        if (start >= tooLate || shapes.isDominated(i)) {
            return;
        }
        rollout.add(NEW, start, start + profile.request(shapes.run(i)), shapes.nodes(i));
        double with = play();
        helds[i] = rollout.held();
        if (heldSoFar + helds[i] > mostHeld) {
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
        if (shapes.queueWait(i) == 0 && widest >= 0 && rollout.nodes(widest) > shapes.nodes(i) && nodePrice > 0) {
            rollout.retire(widest, true);
            double retired = play();
            if (!rollout.leftARest() && retired < costs[i] && isInTime(ends[i])) {
                takesOver[i] = true;
                costs[i] = retired;
                ends[i] = rollout.end();
            }
            rollout.retire(widest, false);
        }
        rollout.removeLast();
    }

    /** The widest placeholder that runs; −1 if none does. */
    private int widest() {
        int widest = -1;
        for (int i = 0; i < rollout.size(); i++) {
            Placeholder p = placeholder(i);
            boolean may = p != null && p.isRunning() && !p.isRetired();
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
    private boolean isBetterTogether(int nodes, long run) {
        if (inQueue == 0 || estimator.basis() == Estimator.Basis.PROMISE || givenUp) {
            return true;
        }
        long[] starts = new long[inQueue + 1];
        estimator.together(view.now(), queued, inQueue, 0, nodes, profile.request(run), starts);
        long[] before = new long[inQueue];
        for (int q = 0; q < inQueue; q++) {
            before[q] = rollout.start(rollout.number(queued[q]));
            rollout.expect(queued[q], expected(starts[q]));
        }
        long start = expected(starts[inQueue]);
        rollout.add(NEW, start, start + profile.request(run), nodes);
        double with = play();
        rollout.removeLast();
        for (int q = 0; q < inQueue; q++) {
            rollout.expect(queued[q], before[q]);
        }
        return with < cost - MINUTE;
    }
}
