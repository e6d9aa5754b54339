package io.sheaf.runtime.cluster;

import io.sheaf.manager.Request;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import java.util.function.LongSupplier;

/**
 * The part of each walltime that agents keep for the end of their tasks and their own shutdown: jobs are requested that much longer.
 *
 * <p>Where a job may not be that long, it is as long as allowed. Estimates then say that it never starts, so that a strategy with a choice requests less.
 *
 * @param millis the reserve; 0 for none
 * @param longest the longest walltime of a job at present, in milliseconds; {@link Cluster#NEVER} if there is no limit
 */
public record AgentReserve(long millis, LongSupplier longest) {
    /** Walltimes are requested as they are. */
    public static final AgentReserve NONE = new AgentReserve(0, () -> Cluster.NEVER);

    /** The reserve of a cluster's agents. */
    public static AgentReserve of(Cluster cluster) {
        return new AgentReserve(cluster.reserve(), cluster::longest);
    }

    /** The walltime of the job for a pilot job that offers its tasks this one. */
    public long addedTo(long walltime) {
        return Math.min(walltime + millis, Math.max(walltime, longest.getAsLong()));
    }

    /** The request of the job for a pilot job that offers its tasks the requested walltime. */
    public Request addedTo(Request request) {
        return request.lasting(addedTo(request.walltime()));
    }

    /** Estimates for walltimes to which the reserve is added. */
    public StartEstimator estimator(StartEstimator inner) {
        return millis == 0 ? inner : new Longer(inner, millis, new StartQuery());
    }

    /** Asks for longer walltimes. */
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
