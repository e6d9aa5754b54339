package io.sheaf.agent.link;

import io.sheaf.agent.protocol.Frames;
import io.sheaf.agent.protocol.Message;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLSocket;

/** An agent at the other end of a TLS connection. Writing is done by whoever of a pool of threads is free, one at a time. */
final class TlsPeer implements Peer {
    /** So many messages are written at once; their frames are small. */
    private static final int BATCH = 256;

    private final Socket plain;
    private final SSLSocket socket;
    private final long epoch;
    private final Executor writers;
    private final List<Message> waiting = new ArrayList<>();
    private boolean writing;

    TlsPeer(Socket plain, SSLSocket socket, long epoch, Executor writers) {
        this.plain = plain;
        this.socket = socket;
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
                socket.getOutputStream().write(Frames.encode(epoch, batch));
                batch = next();
            }
        } catch (IOException | RuntimeException e) {
            // The reading side finds the connection closed and tells.
            close();
        }
    }

    private List<Message> next() {
        synchronized (waiting) {
            List<Message> some = waiting.subList(0, Math.min(BATCH, waiting.size()));
            List<Message> batch = List.copyOf(some);
            some.clear();
            writing = !batch.isEmpty();
            return batch;
        }
    }

    /** Closes the connection below TLS: saying good-bye properly could wait for a peer that hangs. */
    @Override
    public void close() {
        try {
            plain.close();
        } catch (IOException e) {
            // Closed as far as it can be.
            return;
        }
    }

    @Override
    public String by() {
        return plain.getRemoteSocketAddress().toString();
    }
}
