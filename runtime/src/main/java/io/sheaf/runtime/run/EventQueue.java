package io.sheaf.runtime.run;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Where threads leave what the event loop has to hear; the only thing that they share with it. */
public final class EventQueue {
    /** What an agent said; nobody in particular only wants the loop to look around. */
    public record Said(@Nullable AgentId agent, Message message) {}

    private static final Said LOOK = new Said(null, new Message.Heartbeat());

    private final LinkedBlockingQueue<Said> queue = new LinkedBlockingQueue<>();

    public void said(AgentId agent, Message message) {
        queue.add(new Said(agent, message));
    }

    /** Makes the loop look around. */
    public void wake() {
        queue.add(LOOK);
    }

    /** Everything that was left, waiting at most so long for the first; those who only woke it are left out. */
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
