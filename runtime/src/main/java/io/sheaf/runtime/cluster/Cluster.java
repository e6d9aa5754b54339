package io.sheaf.runtime.cluster;

import io.sheaf.agent.AgentSettings;
import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.Message;
import io.sheaf.manager.BatchSystem;
import io.sheaf.manager.Event;
import io.sheaf.predict.StartEstimator;
import io.sheaf.sim.KnownQueue;
import io.sheaf.strategy.Profile;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.util.Collection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A batch system with real agents in its pilot jobs.
 *
 * <p>It is used by one thread, the event loop's. Launching agents, and making sure that nothing runs any more when it says so, is its business.
 */
public interface Cluster extends BatchSystem, AutoCloseable {
    /** Returned by {@link #turn} where nothing is foreseen. */
    long NEVER = Long.MAX_VALUE;

    /** Ends a running pilot job that has nothing left to do. */
    void release(long token);

    /**
     * Does what is due and tells what has happened since the last time.
     *
     * @return when it wants to be called again at the latest, {@link #NEVER} if only for a report from outside
     */
    long turn(long now, Consumer<Event> to) throws IOException;

    /** After a restart: tells at the next {@link #turn} what became of these pilot jobs, which it is believed to have. */
    void reconcile(Collection<Long> tokens);

    /** Something that an agent said: that it is here, that it ends. Told before anything is made of it. */
    default void heard(AgentId agent, Message message) {}

    /** Takes a workflow as a whole: tells which strategy suits the queue as it is best. Nothing is submitted yet. */
    default WholeWorkflow accept(Workflow workflow, Profile profile, int cap) {
        throw new InputException("this batch system takes no workflows as a whole; leave --whole out");
    }

    /** Tells when jobs would start, as the batch system plans. */
    StartEstimator estimator();

    /** Tells when jobs will most likely start, where more is known than what the batch system plans with. */
    default StartEstimator likely() {
        return estimator();
    }

    /** The queue as it is now, with what is known of others' jobs in it, to be played on in thought; null where that is not known. */
    default @Nullable KnownQueue known() {
        return null;
    }

    /** What agents keep of each walltime for the end of their tasks and for themselves, in milliseconds. */
    default long kept() {
        return AgentSettings.keptMillis(AgentSettings.GRACE_MILLIS);
    }

    /** The longest walltime that a job may ask for, in milliseconds; {@link #NEVER} where nothing is known of one. */
    default long longest() {
        return NEVER;
    }

    int nodes();

    int coresPerNode();

    /** Ends all that it has of the run elsewhere, and writes nothing: the run's folder is gone, and this process ends. Nothing is asked of it after that. */
    default void abandon() throws InterruptedException {}

    /** Leaves everything as it is; what runs goes on. */
    @Override
    void close();
}
