package io.sheaf.runtime.cluster;

import io.sheaf.agent.AgentSettings;
import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.Message;
import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
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
 * The cluster that a run's pilot jobs are submitted to: the port of the run loop, used by its thread only.
 *
 * <p>Commands return nothing: {@link Event}s report their outcome, and may come late, twice or out of order. Tokens
 * are chosen before the submission and never reused. Commands are idempotent; a command to an ended pilot job does
 * nothing. The cluster starts the agents of a pilot job, and reports its end when none of its processes is left.
 */
public interface Cluster extends AutoCloseable {
    /** In place of an instant or a walltime: none. */
    long NEVER = Long.MAX_VALUE;

    /** Submits a pilot job. */
    void submit(long token, Request request);

    /** Cancels a pilot job, queued or running. */
    void cancel(long token);

    /** Lowers the walltime of a queued pilot job, in milliseconds. */
    void shorten(long token, long walltime);

    /** Ends a running pilot job that has nothing left to do. */
    void release(long token);

    /** Announces that the manager ends a pilot job; the command follows when it is durable. Start-time estimates count its nodes as free. */
    default void ending(long token) {}

    /**
     * Handles due work and reports the events since the last turn.
     *
     * @return when the next turn is due at the latest; {@link #NEVER} if only after an external report
     */
    long turn(long now, Consumer<Event> to) throws IOException;

    /** After a restart: has the next {@link #turn} report the state of these pilot jobs, which were submitted before. */
    void reconcile(Collection<Long> tokens);

    /** Whether it has a record of a pilot job; false if it was never submitted there. */
    default boolean hasJob(long token) {
        return true;
    }

    /** Whether its batch system answered the last command. */
    default boolean isAnswering() {
        return true;
    }

    /** Ends cancelled pilot jobs that have not started, although the batch system does not answer: if it starts their jobs later, they do nothing. */
    default void endCancelled() {}

    /** A message of an agent, such as its greeting or its end; before the run loop handles it. */
    default void received(AgentId agent, Message message) {}

    /** The files of the site of a pilot job; null if it shares a file system with the manager. */
    default @Nullable FileStaging files(long token) {
        return null;
    }

    /** Chooses the best strategy for a whole workflow in the present queue; submits nothing. */
    default WholeWorkflow accept(Workflow workflow, Profile profile, int cap) {
        throw new InputException("this batch system does not support --whole; remove that option");
    }

    /** Start-time estimates from the batch system's plan. */
    StartEstimator estimator();

    /** Sampled start times, where more is known than the batch system plans with. */
    default StartEstimator sampledStarts() {
        return estimator();
    }

    /**
     * A snapshot of the queue with the known background jobs, to be simulated forward; null if the queue is
     * unknown.
     */
    default @Nullable KnownQueue known() {
        return null;
    }

    /**
     * The reserve: the part of each walltime that agents keep for the end of their tasks and their own shutdown, in
     * milliseconds.
     */
    default long reserve() {
        return AgentSettings.reserveMillis(AgentSettings.GRACE_MILLIS);
    }

    /** The longest walltime of a job, in milliseconds; {@link #NEVER} if no limit is known. */
    default long longest() {
        return NEVER;
    }

    /** Cancels all jobs of a run whose folder was removed, and writes nothing. The last call before {@link #close}. */
    default void abandon() throws InterruptedException {}

    /** Closes the connection; queued and running jobs continue. */
    @Override
    void close();
}
