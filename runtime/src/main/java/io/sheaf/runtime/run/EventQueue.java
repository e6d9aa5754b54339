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
    public record Said(@Nullable AgentId agent, Message message) {}

    private static final Said LOOK = new Said(null, new Message.Heartbeat());

    private final LinkedBlockingQueue<Said> queue = new LinkedBlockingQueue<>();

    public void said(AgentId agent, Message message) {
        queue.add(new Said(agent, message));
    }

    public void wake() {
        queue.add(LOOK);
    }

    /** Removes all messages and returns them except for wake-ups; waits for the first at most {@code millis}. */
    List<Said> take(long millis) throws InterruptedException {
        List<Said> all = new ArrayList<>();
        Said first = queue.poll(Math.max(0, millis), TimeUnit.MILLISECONDS);
        if (first != null) {
            all.add(first);
            queue.drainTo(all);
            all.removeIf(said -> said.agent() == null);
        }
        return all;
    }
}
