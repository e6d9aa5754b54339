package io.sheaf.agent.link;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.Frame;
import io.sheaf.agent.protocol.Frames;
import io.sheaf.agent.protocol.Message.Hello;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** Accepts TLS connections of agents. One thread with a small stack reads from each; threads that write are shared. */
final class TlsAcceptor implements AutoCloseable {
    private static final int BACKLOG = 4096;
    /** The stack size that TLS and the listener need. */
    private static final int STACK_BYTES = 256 << 10;

    private static final int HANDSHAKE_MILLIS = 20_000;
    private static final int IDLE_SECONDS = 60;
    /** The maximum number of connections without a greeting; each has a thread. */
    private static final int STRANGERS = 1000;
    /** How long a connection may be without a greeting when there are {@link #STRANGERS} of them. */
    private static final long CROWDED_MILLIS = 1_000;
    /** Refusals that are reported one by one, and after them every how many. */
    private static final int SHOWN = 20;

    private static final int EACH = 1000;

    private final ServerSocket listening;
    private final Credentials credentials;
    private final long epoch;
    private final ServerSettings settings;
    private final AgentServer server;
    private final AtomicLong count = new AtomicLong();
    private final Semaphore strangers = new Semaphore(STRANGERS);
    /** Connections without a greeting, in order of their arrival. */
    private final Queue<Stranger> waiting = new ConcurrentLinkedQueue<>();

    private final AtomicLong refused = new AtomicLong();
    /** Idle threads end when the acceptor closes; messages sent during that time are dropped. */
    private final ThreadPoolExecutor writers = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> thread(task, "agents-out"),
            new ThreadPoolExecutor.DiscardPolicy());

    TlsAcceptor(Credentials credentials, long epoch, ServerSettings settings, AgentServer server) throws IOException {
        this.credentials = credentials;
        this.epoch = epoch;
        this.settings = settings;
        this.server = server;
        listening = listen(settings);
    }

    static ServerSocket listen(ServerSettings settings) throws IOException {
        InetAddress address = settings.address().isEmpty() ? null : InetAddress.getByName(settings.address());
        boolean foreign = false;
        for (int port = settings.firstPort(); port <= settings.lastPort(); port++) {
            ServerSocket socket = new ServerSocket();
            try {
                socket.bind(new InetSocketAddress(address, port), BACKLOG);
                return socket;
            } catch (BindException e) {
                socket.close();
                foreign = String.valueOf(e.getMessage()).contains("Cannot assign requested address");
            }
        }
        if (foreign) {
            throw new BindException(settings.address() + " is not an address of this machine");
        }
        String ports =
                settings.lastPort() == 0 ? "port" : "port from " + settings.firstPort() + " to " + settings.lastPort();
        throw new BindException(
                "there is no free " + ports + (address == null ? "" : " at address " + settings.address()));
    }

    int port() {
        return listening.getLocalPort();
    }

    void start() {
        thread(this::accept, "agents-door").start();
    }

    private Thread thread(Runnable task, String name) {
        Thread thread = new Thread(null, task, name + "-" + count.incrementAndGet(), STACK_BYTES);
        thread.setDaemon(true);
        return thread;
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                while (!strangers.tryAcquire(CROWDED_MILLIS / 10, TimeUnit.MILLISECONDS)) {
                    closeSilent();
                }
                Socket socket = listening.accept();
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(HANDSHAKE_MILLIS);
                Stranger stranger = new Stranger(socket, System.nanoTime());
                waiting.add(stranger);
                thread(() -> serve(stranger), "agents-in").start();
            } catch (IOException e) {
                strangers.release();
                if (!listening.isClosed()) {
                    server.trouble("cannot take a connection: " + e.getMessage());
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** A connection without a greeting, and the time of its arrival. */
    private record Stranger(Socket socket, long sinceNanos) {}

    /** Closes connections that have been silent for long, so that a flood of them does not block agents. */
    private void closeSilent() {
        long limit = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(CROWDED_MILLIS);
        for (Stranger first = waiting.peek(); first != null && first.sinceNanos - limit < 0; first = waiting.peek()) {
            waiting.remove(first);
            try {
                first.socket.close();
            } catch (IOException e) {
                server.trouble("cannot close a connection: " + e.getMessage());
            }
        }
    }

    private void serve(Stranger stranger) {
        Socket plain = stranger.socket;
        Greeting greeting = null;
        String why = "it closed the connection";
        try (plain) {
            try {
                greeting = greet(plain);
            } finally {
                waiting.remove(stranger);
                strangers.release();
            }
            if (greeting != null) {
                server.greeted(greeting.hello, greeting.peer);
                read(greeting);
            }
        } catch (IOException e) {
            why = String.valueOf(e.getMessage());
            if (greeting == null && !listening.isClosed()) {
                reportRefusal(plain.getInetAddress(), why);
            }
        }
        if (greeting != null) {
            server.lost(greeting.hello.agent(), greeting.peer, why);
        }
    }

    /** Reports the first refusals individually and later ones by number, to limit the size of the log. */
    private void reportRefusal(InetAddress from, String why) {
        long number = refused.incrementAndGet();
        if (number <= SHOWN || number % EACH == 0) {
            String sum = number <= SHOWN ? "" : "; " + number + " so far";
            server.trouble("refused a connection from " + from + ": " + why + sum);
        }
    }

    /** An agent that has identified itself. */
    private record Greeting(Hello hello, TlsPeer peer, InputStream in) {}

    /** The greeting, or null if it is addressed to another manager. */
    private @Nullable Greeting greet(Socket plain) throws IOException {
        SSLSocket socket = credentials.secure(plain, false);
        InputStream in = new BufferedInputStream(socket.getInputStream());
        Frame first = Frames.read(in);
        if (first == null || first.epoch() != epoch) {
            return null;
        }
        if (!(first.message() instanceof Hello hello)) {
            throw new IOException("it did not greet");
        }
        plain.setSoTimeout(settings.quietMillis());
        return new Greeting(hello, new TlsPeer(new TlsConnection(plain, socket), epoch, writers), in);
    }

    private void read(Greeting greeting) throws IOException {
        AgentId agent = greeting.hello.agent();
        for (Frame frame = Frames.read(greeting.in); frame != null; frame = Frames.read(greeting.in)) {
            if (frame.epoch() != epoch) {
                continue;
            }
            if (frame.message() instanceof Hello repeated && repeated.agent().equals(agent)) {
                server.greeted(repeated, greeting.peer);
            } else {
                server.received(agent, greeting.peer, frame.message());
            }
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            server.trouble("cannot close the port: " + e.getMessage());
        }
        writers.shutdown();
    }
}
