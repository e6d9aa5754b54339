package io.sheaf.runtime.cluster;

import io.sheaf.manager.Request;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import java.util.function.LongSupplier;

/**
 * The reserve: the part of each walltime that agents keep for the end of their tasks and their own shutdown. Jobs
 * are requested that much longer.
 *
 * <p>If a job may not be that long, it gets the longest walltime allowed. Its start estimate is then "never", so
 * that a strategy with a choice requests less.
 *
 * @param millis the reserve; 0 for none
 * @param longest the current longest walltime of a job, in milliseconds; {@link Cluster#NEVER} if there is no limit
 */
public record AgentReserve(long millis, LongSupplier longest) {
    /** No reserve: walltimes are requested unchanged. */
    public static final AgentReserve NONE = new AgentReserve(0, () -> Cluster.NEVER);

    public static AgentReserve of(Cluster cluster) {
        return new AgentReserve(cluster.reserve(), cluster::longest);
    }

    /** The walltime to request for a pilot job that offers its tasks this walltime. */
    public long addedTo(long walltime) {
        return Math.min(walltime + millis, Math.max(walltime, longest.getAsLong()));
    }

    /** The request for a pilot job that offers its tasks the requested walltime. */
    public Request addedTo(Request request) {
        return request.lasting(addedTo(request.walltime()));
    }

    /** Estimates for walltimes with the reserve added. */
    public StartEstimator estimator(StartEstimator inner) {
        return millis == 0 ? inner : new Longer(inner, millis, new StartQuery());
    }

    /** Adds the reserve to queried walltimes. */
    private record Longer(StartEstimator inner, long reserve, StartQuery longer) implements StartEstimator {
        @Override
        public void estimate(StartQuery query, StartTimes answer) {
            inner.estimate(longer.copy(query, query.now(), reserve), answer);
        }

        @Override
        public Basis basis() {
            return inner.basis();
        }
    }
}
