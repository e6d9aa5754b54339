package io.sheaf.runtime.run;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.Message;
import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import io.sheaf.runtime.cluster.AgentReserve;
import io.sheaf.runtime.cluster.Agents;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.cluster.RunClock;
import io.sheaf.runtime.limits.SubmissionGate;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.runtime.run.EventQueue.AgentMessage;
import io.sheaf.testing.BackEnd;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** A back end with agents that is controlled by a test instead of a manager. */
public abstract class DrivenBackEnd implements BackEnd {
    /** The nodes of each cluster that the contract is tested with. */
    static final int NODES = 4;

    private final Cluster backend;
    private final EventQueue inbox;
    private final RunClock clock;
    private final DeferredEffects effects;
    private final Queue<Event> reports = new ArrayDeque<>();

    protected DrivenBackEnd(
            Cluster backend,
            AgentReserve reserve,
            Agents link,
            StartMessages starts,
            EventQueue inbox,
            RunClock clock) {
        this.backend = backend;
        this.inbox = inbox;
        this.clock = clock;
        SubmissionGate gate = SubmissionGate.unlimited(backend, reserve);
        effects =
                new DeferredEffects(backend, gate, new Assignments(starts, link, attempt -> attempt), link, text -> {});
    }

    /** Advances time, at most to an instant; returns how long to wait for messages of agents. */
    protected abstract long pass(long until);

    @Override
    public Effects effects() {
        return effects;
    }

    @Override
    public int nodes() {
        return NODES;
    }

    @Override
    public long now() {
        return clock.millis();
    }

    @Override
    public @Nullable Event await(long millis) {
        long until = now() + millis;
        try {
            while (true) {
                effects.carryOut();
                long due = backend.turn(now(), reports::add);
                if (!reports.isEmpty() || now() >= until) {
                    return reports.poll();
                }
                inbox.take(pass(Math.min(due, until))).forEach(this::handle);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private void handle(AgentMessage message) {
        if (message.agent() != null) {
            backend.received(message.agent(), message.message());
        }
        if (message.agent() != null && message.message() instanceof Message.Hello) {
            reports.add(new Event.NodeUp(
                    now(), message.agent().token(), message.agent().node()));
        } else if (message.agent() != null && message.message() instanceof Message.Ended ended) {
            AttemptId attempt = ended.attempt();
            AttemptResult result =
                    new AttemptResult(message.agent().token(), message.agent().node(), ended);
            reports.add(
                    new Event.TaskEnded(now(), result.token(), attempt.task(), attempt.attempt(), result.outcome()));
        }
    }

    @Override
    public void close() {
        backend.close();
    }
}
