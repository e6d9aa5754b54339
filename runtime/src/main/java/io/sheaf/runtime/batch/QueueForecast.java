package io.sheaf.runtime.batch;

import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.predict.StartEstimator;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.sim.KnownQueue;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Start-time estimates for a run's jobs on one batch system. It listens to the events of its {@link BatchCluster} and may learn from them.
 *
 * <p>Used by the event loop's thread.
 */
public interface QueueForecast extends AutoCloseable {

    StartEstimator estimator();

    /** A pilot job is about to be submitted. */
    default void submitting(long token, Request request) {}

    /** The cluster reports an event. */
    default void happened(Event event) {}

    /** After a restart: pilot jobs that may be queued. */
    default void reconcile(Collection<Long> tokens) {}

    /** A turn of the cluster begins. */
    default void turn(long now) {}

    /** What was learnt since the last call and changes how the run plans. */
    default List<Event> learnt() {
        return List.of();
    }

    /** The last snapshot of the queue, without the run's own jobs; null if there is none. */
    default @Nullable KnownQueue known() {
        return null;
    }

    /**
     * Why there is no snapshot of the queue at present: the error of the last query; null if there is one, or no query
     * has failed.
     */
    default @Nullable String failure(long now) {
        return null;
    }

    /** The longest walltime of a job, in milliseconds; {@link Cluster#NEVER} if no limit is known. */
    default long longest() {
        return Cluster.NEVER;
    }

    @Override
    default void close() {}
}
