package io.sheaf.strategy;

import io.sheaf.manager.View;

/** What a set of pilot jobs is worth to {@link Auto}: makespan + λ · node time, as a {@link Rollout} plays it, and what may not be waited for or held. */
final class PlanCost {
    /** Node time is not saved by a step that makes the rest take longer than the fastest by more than this part, where that has to wait. */
    private static final double PATIENCE = 0.05;

    /** The same where the fastest starts at once, so that its end is sure: it is taken as any other strategy would. */
    private static final double NO_PATIENCE = 0;

    /** What is added to λ for node time beyond all measure. */
    private static final double DEAR = 2;

    private final Rollout rollout;
    private final long now;
    /** What a node-millisecond is worth, in milliseconds. */
    private final double nodePrice;

    /** What has been held until now. */
    private final long heldSoFar;

    /** Node time beyond the first is dear, and what it is worth more; beyond the second nothing is asked for. */
    private final double muchHeld;

    private final double mostHeld;
    private final double wastePrice;
    private final double patience;

    PlanCost(RunTimes times, Auto.Options options, View view, long heldSoFar, Rollout rollout, Shapes shapes) {
        this.rollout = rollout;
        this.heldSoFar = heldSoFar;
        now = view.now();
        LevelRange all = times.range(0, view.workflow().levels() - 1);
        int cores = times.partsPerNode();
        double parallelism = (double) Math.max(1, all.work()) / Math.max(1, all.criticalPath()) / cores;
        nodePrice = options.lambda() / parallelism;
        wastePrice = DEAR / parallelism;
        muchHeld = options.waste() * all.work() / cores;
        mostHeld = options.most() * all.work() / cores;
        patience = shapes.queueWait(shapes.first()) == 0 ? NO_PATIENCE : PATIENCE;
    }

    double nodePrice() {
        return nodePrice;
    }

    double patience() {
        return patience;
    }

    /** Plays the set on; returns what that costs. */
    double play() {
        rollout.play();
        return rollout.end() - now + nodePrice * rollout.held() + wastePrice * Math.max(0, rollout.held() - muchHeld);
    }

    /** Whether an end is not much later than another instant. */
    boolean isInTime(long end, long instant) {
        return end - now <= (1 + patience) * (instant - now);
    }

    /** Whether more would have been held at the end than may be, if so much is held from now on. */
    boolean isTooMuch(long held) {
        return heldSoFar + held > mostHeld;
    }
}
