package io.sheaf.agent.link;

import io.sheaf.agent.protocol.Frames;
import io.sheaf.agent.protocol.Message;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** An agent with a TLS connection. A pool of threads writes, one thread at a time per agent. */
final class TlsPeer implements Peer {
    /** Maximum number of messages per write. */
    private static final int BATCH = 256;

    private final TlsConnection connection;
    private final long epoch;
    private final Executor writers;
    private final List<Message> waiting = new ArrayList<>();
    private boolean writing;

    TlsPeer(TlsConnection connection, long epoch, Executor writers) {
        this.connection = connection;
        this.epoch = epoch;
        this.writers = writers;
    }

    @Override
    public void send(List<? extends Message> messages) {
        synchronized (waiting) {
            waiting.addAll(messages);
            if (writing) {
                return;
            }
            writing = true;
        }
        writers.execute(this::write);
    }

    private void write() {
        List<Message> batch = next();
        try {
            while (!batch.isEmpty()) {
                connection.socket().getOutputStream().write(Frames.encode(epoch, batch));
                batch = next();
            }
        } catch (IOException | RuntimeException e) {
            // The reading side finds the connection closed and reports it.
            close();
        }
    }

    private List<Message> next() {
        synchronized (waiting) {
            List<Message> oldest = waiting.subList(0, Math.min(BATCH, waiting.size()));
            List<Message> batch = List.copyOf(oldest);
            oldest.clear();
            writing = !batch.isEmpty();
            return batch;
        }
    }

    @Override
    public void close() {
        connection.close();
    }

    @Override
    public String transport() {
        return connection.transport();
    }
}
