package io.sheaf.agent.link;

import io.sheaf.agent.protocol.Message;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An agent that connects through a spool. Messages between two reads share one file. */
final class SpoolPeer implements Peer {
    private final Spool in;
    private final long epoch;
    private final List<Message> waiting = new ArrayList<>();
    private long receivedNanos = System.nanoTime();

    SpoolPeer(Path in, long epoch) {
        this.in = new Spool(in);
        this.epoch = epoch;
    }

    @Override
    public void send(List<? extends Message> messages) {
        synchronized (waiting) {
            waiting.addAll(messages);
        }
    }

    /** Writes the queued messages; called by the polling thread. */
    void flush() throws IOException {
        List<Message> batch;
        synchronized (waiting) {
            batch = List.copyOf(waiting);
            waiting.clear();
        }
        if (!batch.isEmpty()) {
            in.write(epoch, batch);
        }
    }

    void received() {
        receivedNanos = System.nanoTime();
    }

    long silentMillis() {
        return (System.nanoTime() - receivedNanos) / 1_000_000;
    }

    @Override
    public void close() {
        synchronized (waiting) {
            waiting.clear();
        }
    }

    @Override
    public String transport() {
        return "spool";
    }
}
