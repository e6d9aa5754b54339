package io.sheaf.runtime.run;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The queue of messages to the event loop. It is the only object that other threads share with the loop.
 * Thread-safe.
 */
public final class EventQueue {
    /** A message of an agent; a null agent only wakes the loop. */
    public record AgentMessage(@Nullable AgentId agent, Message message) {}

    private static final AgentMessage WAKE_UP = new AgentMessage(null, new Message.Heartbeat());

    private final LinkedBlockingQueue<AgentMessage> queue = new LinkedBlockingQueue<>();

    public void add(AgentId agent, Message message) {
        queue.add(new AgentMessage(agent, message));
    }

    public void wake() {
        queue.add(WAKE_UP);
    }

    /** Removes all messages and returns them except for wake-ups; waits for the first at most {@code millis}. */
    List<AgentMessage> take(long millis) throws InterruptedException {
        List<AgentMessage> all = new ArrayList<>();
        AgentMessage first = queue.poll(Math.max(0, millis), TimeUnit.MILLISECONDS);
        if (first != null) {
            all.add(first);
            queue.drainTo(all);
            all.removeIf(message -> message.agent() == null);
        }
        return all;
    }
}
