package io.sheaf.agent.link;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.Frame;
import io.sheaf.agent.protocol.Message;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** An agent's session through files. It ends after a while, so that TLS is retried. */
final class SpoolSession implements LinkSession {
    private final Spool in;
    private final Spool out;
    private final long epoch;
    private final int pollMillis;
    private final long untilNanos;
    private final CountDownLatch closed = new CountDownLatch(1);

    SpoolSession(RunFolder run, AgentId agent, long epoch, int pollMillis, long millis) {
        this.in = new Spool(run.in(agent));
        this.out = new Spool(run.out(agent));
        this.epoch = epoch;
        this.pollMillis = pollMillis;
        this.untilNanos = System.nanoTime() + millis * 1_000_000;
    }

    @Override
    public void read(Consumer<Frame> to) throws IOException, InterruptedException {
        while (System.nanoTime() - untilNanos < 0) {
            in.take(epoch).forEach(to);
            if (closed.await(pollMillis, TimeUnit.MILLISECONDS)) {
                return;
            }
        }
    }

    @Override
    public void write(List<Message.ToManager> messages) throws IOException {
        out.write(epoch, messages);
    }

    @Override
    public void close() {
        closed.countDown();
    }

    @Override
    public String transport() {
        return "spool";
    }
}
