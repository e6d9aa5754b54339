package io.sheaf.manager;

/**
 * A request to a batch system: nodes × walltime.
 *
 * @param pool the node pool, if a cluster has several
 * @param units nodes, or cores if nodes are shared
 * @param walltime milliseconds
 * @param notBefore the earliest start; {@link #AT_ONCE} if there is none
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

    /** The same request with another walltime, in milliseconds. */
    public Request lasting(long millis) {
        return new Request(pool, units, millis, notBefore, afterToken);
    }

    /** The same request, to start only after another pilot job has ended. */
    public Request after(long token) {
        return new Request(pool, units, walltime, notBefore, token);
    }
}
