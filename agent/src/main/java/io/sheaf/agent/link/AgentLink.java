package io.sheaf.agent.link;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.Frame;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Message.Heartbeat;
import io.sheaf.agent.protocol.Message.Hello;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The agent's side of the link: follows the endpoint file to the manager with the lease, over TLS or, if that fails, through files, and
 * retries TLS later.
 *
 * <p>It buffers nothing: messages sent without a session, or not sent by a closing one, are lost. After each {@link Listener#connected} the
 * agent sends a greeting and repeats what the manager must know. Frames of earlier managers are ignored.
 */
public final class AgentLink implements AutoCloseable {

    /** Receives the manager's messages. Called by the link's threads. */
    public interface Listener {
        /** A session exists; the first message in it is a {@link Hello}. */
        void connected(String transport);

        void received(Message.ToAgent message);

        void disconnected(String why);
    }

    private static final int SHORTEST_PAUSE_MILLIS = 100;
    private static final int LONGEST_PAUSE_MILLIS = 5_000;
    private static final int LONGEST_SPOOL_MILLIS = 300_000;

    private final RunFolder run;
    private final AgentId agent;
    private final LinkSettings settings;
    private final Listener listener;
    private final BlockingQueue<List<Message.ToManager>> outgoing = new LinkedBlockingQueue<>();
    private final Thread reader = DaemonThread.of("link-in", this::follow);
    private final Thread writer = DaemonThread.of("link-out", this::write);
    private @Nullable Credentials credentials;
    private long spoolMillis;

    private volatile long epoch;
    private volatile boolean closed;
    private volatile @Nullable LinkSession session;
    /** The last session in which a greeting was written; the writer's own. */
    private long greeted;
    /** How many sessions there were. */
    private volatile long sessions;
    /** Whether a batch was taken from the queue and is not yet written. */
    private volatile boolean writing;

    public AgentLink(RunFolder run, AgentId agent, LinkSettings settings, Listener listener) {
        this.run = run;
        this.agent = agent;
        this.settings = settings;
        this.listener = listener;
        spoolMillis = settings.retryMillis();
    }

    public void start() {
        reader.start();
        writer.start();
    }

    /** Sends messages soon and in order, if a session exists. */
    public void send(List<Message.ToManager> messages) {
        outgoing.add(messages);
    }

    /** Waits until all was written that was sent, for a while at most. */
    public boolean flush(int millis) throws InterruptedException {
        long until = System.nanoTime() + millis * 1_000_000L;
        while (!outgoing.isEmpty() || writing) {
            if (System.nanoTime() - until > 0) {
                return false;
            }
            Thread.sleep(5);
        }
        return true;
    }

    @Override
    public void close() {
        closed = true;
        reader.interrupt();
        writer.interrupt();
        LinkSession now = session;
        if (now != null) {
            now.close();
        }
    }

    private void follow() {
        int pause = SHORTEST_PAUSE_MILLIS;
        while (!closed) {
            try {
                LinkSession next = open();
                if (next != null) {
                    long began = System.nanoTime();
                    use(next);
                    // One that is closed at once would be opened and closed all the time.
                    pause = System.nanoTime() - began > 1_000_000_000L ? SHORTEST_PAUSE_MILLIS : pause;
                }
                Thread.sleep(pause);
            } catch (IOException e) {
                listener.disconnected(String.valueOf(e.getMessage()));
            } catch (InterruptedException e) {
                return;
            }
            pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        }
    }

    /** A session to the manager of the endpoint file, or null if there is none yet. */
    private @Nullable LinkSession open() throws IOException {
        Endpoint endpoint = Endpoint.read(run.endpoint());
        if (endpoint == null || endpoint.epoch() < epoch) {
            return null;
        }
        if (endpoint.epoch() > epoch) {
            epoch = endpoint.epoch();
            spoolMillis = settings.retryMillis();
        }
        if (endpoint.port() != 0 && Files.exists(run.credentials())) {
            try {
                TlsSession tls = TlsSession.open(credentials(), endpoint, settings);
                // Unread messages are sent again later. If they stayed, the manager would assume that this agent uses
                // the spool.
                new Spool(run.out(agent)).clear();
                spoolMillis = settings.retryMillis();
                return tls;
            } catch (IOException e) {
                listener.disconnected(e.getMessage() + "; through files for " + spoolMillis + " ms");
            }
        }
        long millis = spoolMillis;
        spoolMillis = Math.min(2 * spoolMillis, LONGEST_SPOOL_MILLIS);
        return new SpoolSession(run, agent, epoch, settings.pollMillis(), millis);
    }

    private Credentials credentials() throws IOException {
        Credentials loaded = credentials;
        if (loaded == null) {
            loaded = Credentials.load(run.credentials());
            credentials = loaded;
        }
        return loaded;
    }

    private void use(LinkSession next) throws InterruptedException {
        synchronized (outgoing) {
            outgoing.clear();
            session = next;
            sessions = sessions + 1;
        }
        String why = "closed";
        try {
            listener.connected(next.transport());
            next.read(this::receive);
        } catch (IOException e) {
            why = String.valueOf(e.getMessage());
        } finally {
            session = null;
            next.close();
        }
        if (!closed) {
            listener.disconnected(why);
        }
    }

    private void receive(Frame frame) {
        if (frame.epoch() >= epoch
                && frame.message() instanceof Message.ToAgent message
                && !(message instanceof Heartbeat)) {
            listener.received(message);
        }
    }

    private void write() {
        long lastBeat = System.nanoTime();
        long endpointRead = lastBeat;
        while (!closed) {
            try {
                List<Message.ToManager> batch = outgoing.poll(
                        Math.min(settings.endpointMillis(), settings.beatMillis()), TimeUnit.MILLISECONDS);
                if (batch != null) {
                    write(batch);
                }
                long now = System.nanoTime();
                if (now - lastBeat > settings.beatMillis() * 1_000_000L) {
                    lastBeat = now;
                    send(List.of(new Heartbeat()));
                }
                if (now - endpointRead > settings.endpointMillis() * 1_000_000L) {
                    endpointRead = now;
                    readEndpoint();
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Writes a batch and what has come since. */
    private void write(List<Message.ToManager> first) {
        List<Message.ToManager> messages = new ArrayList<>(first);
        LinkSession now;
        long number;
        synchronized (outgoing) {
            writing = true;
            for (List<Message.ToManager> next = outgoing.poll(); next != null; next = outgoing.poll()) {
                messages.addAll(next);
            }
            now = session;
            number = sessions;
        }
        try {
            while (number != greeted && !messages.isEmpty() && !(messages.get(0) instanceof Hello)) {
                messages.remove(0);
            }
            if (now != null && !messages.isEmpty()) {
                greeted = number;
                now.write(messages);
            }
        } catch (IOException e) {
            // The reading side reports it.
            now.close();
        } finally {
            writing = false;
        }
    }

    /** Leaves a manager that is no longer the live one, even if it still answers. */
    private void readEndpoint() {
        try {
            Endpoint endpoint = Endpoint.read(run.endpoint());
            LinkSession now = session;
            if (endpoint != null && endpoint.epoch() > epoch && now != null) {
                now.close();
            }
        } catch (IOException e) {
            listener.disconnected("cannot read the address of the manager: " + e.getMessage());
        }
    }
}
