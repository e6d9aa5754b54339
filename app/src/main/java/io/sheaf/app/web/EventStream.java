package io.sheaf.app.web;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A stream of server-sent events to one client. It ends when the client disconnects, the server stops, or its time
 * limit expires; clients reconnect by themselves.
 */
public final class EventStream implements AutoCloseable {
    private static final long KEEP_ALIVE_NANOS = 10_000_000_000L;

    private final OutputStream out;
    private final long until;
    private long written;
    private boolean closed;

    EventStream(OutputStream out, Duration time) {
        this.out = out;
        written = System.nanoTime();
        until = written + time.toNanos();
    }

    /** Sends an event; its data may have several lines. */
    public void send(String event, String data) throws IOException {
        StringBuilder text = new StringBuilder("event: ").append(event).append('\n');
        data.lines().forEach(line -> text.append("data: ").append(line).append('\n'));
        write(text.append('\n').toString());
    }

    /** Waits; returns false if the stream has ended. A disconnected client is noticed within ten seconds. */
    public boolean pause(long millis) throws IOException, InterruptedException {
        long end = Math.min(until, System.nanoTime() + millis * 1_000_000);
        synchronized (this) {
            for (long left = end - System.nanoTime(); left > 0 && !closed; left = end - System.nanoTime()) {
                wait(left / 1_000_000 + 1);
            }
        }
        if (System.nanoTime() - written > KEEP_ALIVE_NANOS) {
            write(": still there\n\n");
        }
        return isOpen();
    }

    public synchronized boolean isOpen() {
        return !closed && System.nanoTime() < until;
    }

    /** Ends the stream and wakes a waiting thread. */
    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    private void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
        written = System.nanoTime();
    }
}
