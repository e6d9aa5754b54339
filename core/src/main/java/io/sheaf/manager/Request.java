package io.sheaf.manager;

/**
 * What is asked of a batch system: nodes × time.
 *
 * @param pool which nodes, where a cluster has several kinds
 * @param units nodes, or cores where nodes are shared
 * @param walltime milliseconds
 * @param notBefore the earliest instant to start at; {@link #AT_ONCE} if any will do
 * @param afterToken another pilot job that must end first; {@link #NONE} if there is none
 */
public record Request(int pool, int units, long walltime, long notBefore, long afterToken) {
    public static final long AT_ONCE = Long.MIN_VALUE;
    public static final long NONE = -1;

    public Request {
        if (units < 1 || walltime < 1) {
            throw new IllegalArgumentException(units + " nodes × " + walltime + " ms cannot be asked for");
        }
    }

    public static Request of(int units, long walltime) {
        return new Request(0, units, walltime, AT_ONCE, NONE);
    }

    /** The same with another walltime, in milliseconds. */
    public Request lasting(long millis) {
        return new Request(pool, units, millis, notBefore, afterToken);
    }

    /** The same, to start only when another pilot job has ended. */
    public Request after(long token) {
        return new Request(pool, units, walltime, notBefore, token);
    }
}
