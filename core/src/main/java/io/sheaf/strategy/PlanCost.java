package io.sheaf.strategy;

import io.sheaf.manager.Molding;

/**
 * The cost of a simulated {@link Plan} to {@link Auto}, in milliseconds: makespan + λ · node time, and the limits of both.
 *
 * <p>Node time counts in units of the workflow's mean parallelism, work / critical path; that of moldable tasks on their most cores.
 */
final class PlanCost {
    /** A change that saves node time may delay the end by this part of the shortest possible time, if the fastest job would have to wait. */
    private static final double PATIENCE = 0.05;

    /** Added to λ for node time beyond the limit {@code waste}. */
    private static final double DEAR = 2;

    /**
     * The cost of ready tasks of one kind for which a plan has no job, where no node suits all tasks; more than any makespan, because the first of the jobs that they need shortens none.
     */
    private static final double LEFT_KIND = 1e15;

    private final long now;
    /** The cost of a node-millisecond, in milliseconds. */
    private final double nodePrice;

    private final double wastePrice;
    private final long allocatedSoFar;

    /** Node-milliseconds beyond which node time is dear, and beyond which none is requested. */
    private final double muchAllocated;

    private final double mostAllocated;
    private final double patience;

    /**
     * At an instant.
     *
     * @param allocatedSoFar node-milliseconds that the run's jobs have been allocated until now
     * @param startsAtOnce whether the fastest single job would start now; then its end is certain, and no delay is accepted
     */
    PlanCost(RunTimes times, Auto.Options options, long now, long allocatedSoFar, boolean startsAtOnce) {
        this.now = now;
        this.allocatedSoFar = allocatedSoFar;
        LevelRange all = times.range(0, times.workflow().levels() - 1);
        int cores = times.partsPerNode();
        Molding molding = times.tasks().molding;
        double work = molding == null
                ? all.blockedWork()
                : (double) molding.mostWork() * times.tasks().coreParts.perCore();
        long path = molding == null ? all.criticalPath() : molding.shortestPath();
        double parallelism = Math.max(1, work) / Math.max(1, path) / cores;
        nodePrice = options.lambda() / parallelism;
        wastePrice = DEAR / parallelism;
        muchAllocated = options.waste() * work / cores;
        mostAllocated = options.most() * work / cores;
        patience = startsAtOnce ? 0 : PATIENCE;
    }

    double nodePrice() {
        return nodePrice;
    }

    double patience() {
        return patience;
    }

    double of(Rollout.Result result) {
        long node = result.nodeMillis();
        double makespan = result.end() - now + LEFT_KIND * result.kindsLeft();
        return makespan + nodePrice * node + wastePrice * Math.max(0, node - muchAllocated);
    }

    /** Whether an end is not much later than another instant. */
    boolean isInTime(long end, long instant) {
        return end - now <= (1 + patience) * (instant - now);
    }

    /** Whether some more node-milliseconds would exceed the limit {@code most}. */
    boolean isTooMuch(long nodeMillis) {
        return allocatedSoFar + nodeMillis > mostAllocated;
    }

    /** Whether a plan exceeds the limit {@code most} and a change of it allocates less. */
    boolean isSaving(Rollout.Result changed, Rollout.Result plan) {
        return isTooMuch(plan.nodeMillis()) && changed.nodeMillis() < plan.nodeMillis();
    }
}
