package io.sheaf.batch;

/**
 * Which units are free at which time from now on, given everything that runs or is planned.
 *
 * <p>Two kinds: {@link CountedProfile} counts units and is the fast one; {@link ContiguousProfile} knows them by number.
 */
abstract sealed class AvailabilityProfile permits CountedProfile, ContiguousProfile {
    /** The first unit of the block that the last successful search found; 0 where units are only counted. */
    int block;

    static AvailabilityProfile of(Policy.Placement placement, int capacity) {
        return placement == Policy.Placement.COUNT ? new CountedProfile(capacity) : new ContiguousProfile(capacity);
    }

    /** Forgets what is before {@code at}. */
    abstract void advance(long at);

    /** Everything free from {@code at} on. */
    abstract void clear(long at, int capacity);

    /**
     * The first start in [from, before) of a hole of {@code units} × {@code walltime}; NEVER if there is none.
     */
    abstract long hole(long from, long before, int units, long walltime);

    /** Free units at an instant. */
    abstract int freeAt(long instant);

    abstract void take(long from, long to, int units, int firstUnit);

    abstract void give(long from, long to, int units, int firstUnit);

    /** Becomes equal to another profile of the same kind. */
    abstract void copyFrom(AvailabilityProfile other);

    /** Adds units, or takes them away, for all time to come. */
    abstract void resize(int change);
}
