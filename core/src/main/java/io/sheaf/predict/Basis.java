package io.sheaf.predict;

/** The kind of knowledge that a start-time estimate is based on. */
public enum Basis {
    /** The batch system keeps to it, unless jobs of higher priority arrive. */
    PROMISE,
    /** The queue was simulated forward: every job uses its full walltime and no job arrives. */
    SIMULATED,
    /** Earlier waits or run times were learned from. */
    LEARNED,
    /** Nothing is known of the queue. */
    NONE
}
