package io.sheaf.batch;

/**
 * Free units over time, given all running and planned jobs.
 *
 * <p>{@link CountedProfile} counts units and is the fast one; {@link ContiguousProfile} has numbered units; {@link PoolProfile} has pools.
 */
abstract sealed class AvailabilityProfile permits CountedProfile, ContiguousProfile, PoolProfile {
    /** The first unit of the block that the last successful search found; 0 if units are only counted. */
    int block;

    static AvailabilityProfile of(Policy policy, int capacity) {
        if (policy.pools().count() > 0) {
            return new PoolProfile(policy.pools());
        }
        return policy.placement() == Policy.NodeSelection.COUNT
                ? new CountedProfile(capacity)
                : new ContiguousProfile(capacity);
    }

    /** Drops everything before {@code at}. */
    abstract void advance(long at);

    /** Everything free from {@code at} on. */
    abstract void clear(long at, int capacity);

    /** The first start in [from, before) of a hole of {@code units} × {@code walltime}; NEVER if none exists. */
    abstract long hole(long from, long before, int units, long walltime);

    /** The same in a pool. */
    long hole(int pool, long from, long before, int units, long walltime) {
        return hole(from, before, units, walltime);
    }

    /** The first unit of the hole that was found last, for a job that takes it; with pools the job's handle. */
    int keep(int job) {
        return block;
    }

    abstract int freeAt(long instant);

    abstract void allocate(long from, long to, int units, int firstUnit);

    abstract void release(long from, long to, int units, int firstUnit);

    /** Copies another profile of the same kind. */
    abstract void copyFrom(AvailabilityProfile other);
}
