package io.sheaf.batch;

/**
 * The scheduling policy of a cluster.
 *
 * @param depth the number of blocked jobs with a reservation: {@link #FCFS}, {@link #EASY}, any other k, or {@link #CONSERVATIVE}
 * @param order the order of queued jobs
 * @param placement whether a job needs any nodes or a block of consecutive ones
 * @param perJob the limits of each job; a job never has more units or unit-time than its user may use
 * @param perUser the limits of each user
 * @param pools the node pools; none if every job may use every node
 * @param memory the memory that jobs count against
 */
public record Policy(
        int depth,
        QueueOrder order,
        NodeSelection placement,
        JobLimits perJob,
        UserLimits perUser,
        Pools pools,
        PoolMemory memory) {
    /** Strictly in queue order: all jobs behind a blocked job wait. */
    public static final int FCFS = 0;

    /** Backfilling around the reservation of the first blocked job. */
    public static final int EASY = 1;

    /** Every job has a standing reservation. */
    public static final int CONSERVATIVE = Integer.MAX_VALUE;

    /** Which nodes a job may get. */
    public enum NodeSelection {
        /** Nodes are counted. */
        COUNT,
        /** One block of consecutive node ids, the lowest that fits. */
        CONTIGUOUS
    }

    public Policy {
        if (depth < 0) {
            throw new IllegalArgumentException(
                    "reservation depth " + depth + ": 0 is FCFS, 1 EASY, k > 1 k reservations");
        }
        if (placement == NodeSelection.CONTIGUOUS && pools.count() > 0) {
            throw new IllegalArgumentException("contiguous placement: the cluster cannot have pools");
        }
        perJob = perJob.and(perUser.ofJob());
    }

    public static Policy fcfs() {
        return depth(FCFS);
    }

    public static Policy easy() {
        return depth(EASY);
    }

    public static Policy conservative() {
        return depth(CONSERVATIVE);
    }

    public static Policy depth(int k) {
        return new Policy(
                k,
                QueueOrder.ARRIVAL,
                NodeSelection.COUNT,
                JobLimits.NONE,
                UserLimits.NONE,
                Pools.NONE,
                PoolMemory.UNCOUNTED);
    }

    public Policy withOrder(QueueOrder other) {
        return new Policy(depth, other, placement, perJob, perUser, pools, memory);
    }

    public Policy withPlacement(NodeSelection other) {
        return new Policy(depth, order, other, perJob, perUser, pools, memory);
    }

    public Policy withLimits(JobLimits other) {
        return new Policy(depth, order, placement, other, perUser, pools, memory);
    }

    public Policy withLimits(UserLimits other) {
        return new Policy(depth, order, placement, perJob, other, pools, memory);
    }

    public Policy withPools(Pools other) {
        return new Policy(depth, order, placement, perJob, perUser, other, memory);
    }

    public Policy withMemory(PoolMemory other) {
        return new Policy(depth, order, placement, perJob, perUser, pools, other);
    }

    /** The limits of a job in the pool that allows most of each. */
    public JobLimits largest() {
        return pools.count() == 0 || pools.maxNodes() == 0 ? perJob : perJob.and(pools.largest());
    }

    /** Whether there may be a job of this size in a pool. */
    boolean allows(int pool, int units, long walltime, long memoryPerUnit) {
        return perJob.allow(units, walltime)
                && memory.suffices(units, memoryPerUnit)
                && (pools.count() == 0 || pools.allows(pool, units, walltime));
    }

    boolean isConservative() {
        return depth == CONSERVATIVE;
    }
}
