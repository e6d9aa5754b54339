package io.sheaf.runtime.run;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Frame;
import io.sheaf.agent.protocol.Frames;
import io.sheaf.agent.protocol.MalformedFrameException;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Usage;
import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.predict.StartEstimator;
import io.sheaf.runtime.cluster.Agents;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.cluster.RunClock;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * A cluster in memory for the warm-up: pilot jobs start when they are submitted, and tasks end when they are
 * started.
 */
final class InstantCluster implements Cluster, Agents {
    private static final long EPOCH = 1;
    private static final int TOOK_MILLIS = 100;

    private final EventQueue inbox;
    private final RunClock clock;
    private final Deque<Event> happened = new ArrayDeque<>();

    InstantCluster(EventQueue inbox, RunClock clock) {
        this.inbox = inbox;
        this.clock = clock;
    }

    @Override
    public void submit(long token, Request request) {
        happened.add(new Event.Accepted(clock.millis(), token));
        happened.add(new Event.Started(clock.millis(), token, false));
        inbox.wake();
        for (int node = 0; node < request.units(); node++) {
            AgentId agent = new AgentId(token, node);
            deliver(agent, new Message.Hello(agent, "node", 1, 1, 1, 0, List.of(), false));
        }
    }

    @Override
    public void cancel(long token) {
        end(token, Event.End.CANCELLED);
    }

    @Override
    public void shorten(long token, long walltime) {}

    @Override
    public void release(long token) {
        end(token, Event.End.RELEASED);
    }

    private void end(long token, Event.End end) {
        happened.add(new Event.Ended(clock.millis(), token, end));
        inbox.wake();
    }

    @Override
    public long turn(long now, Consumer<Event> to) {
        for (Event event = happened.poll(); event != null; event = happened.poll()) {
            to.accept(event);
        }
        return NEVER;
    }

    @Override
    public void reconcile(Collection<Long> tokens) {}

    @Override
    public void send(AgentId agent, Message.ToAgent message) {
        for (Message reply : encodedAndDecoded(message)) {
            if (reply instanceof Message.Start start) {
                Usage usage = new Usage(clock.millis(), TOOK_MILLIS, Usage.UNKNOWN, Usage.UNKNOWN);
                deliver(
                        agent,
                        new Message.Ended(
                                start.attempt(), AttemptOutcome.SUCCEEDED, 0, "", usage, List.of(), List.of()));
            }
        }
    }

    private void deliver(AgentId agent, Message message) {
        encodedAndDecoded(message).forEach(reply -> inbox.add(agent, reply));
    }

    private static List<Message> encodedAndDecoded(Message message) {
        try {
            return Frames.decodeAll(Frames.encode(EPOCH, List.of(message))).stream()
                    .map(Frame::message)
                    .toList();
        } catch (MalformedFrameException e) {
            throw new IllegalStateException("what was written cannot be read: " + message, e);
        }
    }

    @Override
    public void flush() {}

    @Override
    public boolean isConnected(AgentId agent) {
        return true;
    }

    @Override
    public List<Message.Ended> storedResults(AgentId agent, List<Message.Start> open) {
        return List.of();
    }

    @Override
    public void forget(AgentId agent) {}

    @Override
    public StartEstimator estimator() {
        return StartEstimator.UNINFORMED;
    }

    @Override
    public void close() {}
}
