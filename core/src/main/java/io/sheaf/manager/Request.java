package io.sheaf.manager;

import io.sheaf.batch.Pools;
import io.sheaf.workflow.Resources;
import java.util.Collection;
import java.util.List;

/**
 * A request to a batch system: nodes × walltime.
 *
 * @param pool the number of the node pool; {@link Pools#ANY} if the cluster has none, or the manager chooses it
 * @param units nodes, or cores if nodes are shared
 * @param walltime milliseconds
 * @param notBefore the earliest start; {@link #AT_ONCE} if there is none
 * @param afterToken another pilot job that must end first; {@link #NONE} if there is none
 * @param node what its tasks need at once on each node besides cores; {@link Resources#ONE_CORE} if they specify nothing
 * @param without hosts that it must not have, in order of name
 */
public record Request(
        int pool, int units, long walltime, long notBefore, long afterToken, Resources node, List<String> without) {
    public static final long AT_ONCE = Long.MIN_VALUE;
    public static final long NONE = -1;

    public Request {
        without = List.copyOf(without);
        if (units < 1 || walltime < 1) {
            throw new IllegalArgumentException(units + " nodes × " + walltime + " ms is not a valid request");
        }
    }

    /** Without needs besides cores. */
    public Request(int pool, int units, long walltime, long notBefore, long afterToken) {
        this(pool, units, walltime, notBefore, afterToken, Resources.ONE_CORE, List.of());
    }

    public static Request of(int units, long walltime) {
        return new Request(Pools.ANY, units, walltime, AT_ONCE, NONE);
    }

    /** The same request with another walltime, in milliseconds. */
    public Request lasting(long millis) {
        return new Request(pool, units, millis, notBefore, afterToken, node, without);
    }

    /** The same request for a number of nodes. */
    public Request on(int nodes) {
        return new Request(pool, nodes, walltime, notBefore, afterToken, node, without);
    }

    /** The same request, to start only after another pilot job has ended. */
    public Request after(long token) {
        return new Request(pool, units, walltime, notBefore, token, node, without);
    }

    /** The same request in a pool. */
    public Request in(int number) {
        return number == pool ? this : new Request(number, units, walltime, notBefore, afterToken, node, without);
    }

    /** The same request for nodes that have this besides cores. */
    public Request needing(Resources other) {
        return other.equals(node) ? this : new Request(pool, units, walltime, notBefore, afterToken, other, without);
    }

    /** The same request without these hosts. */
    public Request avoiding(Collection<String> hosts) {
        return hosts.isEmpty() && without.isEmpty()
                ? this
                : new Request(pool, units, walltime, notBefore, afterToken, node, List.copyOf(hosts));
    }
}
