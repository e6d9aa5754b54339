package io.sheaf.app.web;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sheaf.agent.link.DaemonThread;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A single-user web server based on the JDK's. Every request needs the token, replies allow only the server's own
 * resources, and client resources are limited.
 *
 * <p>A request must arrive within {@value #REQUEST_SECONDS} seconds. A client must read its reply within the longest
 * event stream's time and a margin. These limits and that on connections belong to the JDK's server and apply to the
 * process.
 */
public final class WebServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(WebServer.class.getName());
    private static final int REQUEST_SECONDS = 10;
    private static final int REPLY_SECONDS = 600;
    private static final int CONNECTIONS = 256;
    private static final int BACKLOG = 64;

    static {
        // Read once, when the JDK's server is loaded. Without the first, replies on JDK 17 take 40 ms longer.
        preset("sun.net.httpserver.nodelay", "true");
        preset("sun.net.httpserver.maxReqTime", Integer.toString(REQUEST_SECONDS));
        preset("sun.net.httpserver.maxRspTime", Integer.toString(REPLY_SECONDS));
        preset("jdk.httpserver.maxConnections", Integer.toString(CONNECTIONS));
    }

    private static final Map<String, String> ALWAYS = Map.of(
            "Content-Security-Policy",
                    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                            + " base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY",
            "Referrer-Policy", "no-referrer",
            "Cross-Origin-Opener-Policy", "same-origin",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Cache-Control", "no-store");

    private final HttpServer server;
    private final Routes routes;
    private final Guard guard;
    private final Token token;
    private final Limits limits;
    private final Rate known;
    private final Rate unknown;
    private final ExecutorService workers;
    private final Set<EventStream> streams = ConcurrentHashMap.newKeySet();
    private int busy;

    private WebServer(HttpServer server, Routes routes, Token token, Limits limits) {
        this.server = server;
        this.routes = routes;
        guard = new Guard(token);
        this.token = token;
        this.limits = limits;
        known = new Rate(limits.perSecond(), System.nanoTime());
        unknown = new Rate(limits.perSecond(), System.nanoTime());
        // One thread per connection: a slow client does not block others.
        workers = new ThreadPoolExecutor(
                0, CONNECTIONS + 1, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), DaemonThread.named("web"));
    }

    private static void preset(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    /**
     * Starts the server on the loopback address.
     *
     * @param port 0 for any free port
     */
    public static WebServer start(int port, Token token, Routes routes, Limits limits) throws IOException {
        InetAddress at = InetAddress.getLoopbackAddress();
        HttpServer server;
        try {
            server = HttpServer.create(new InetSocketAddress(at, port), BACKLOG);
        } catch (BindException e) {
            throw new InputException("port " + port + " of " + at.getHostAddress() + " is not available ("
                    + e.getMessage() + "); use another --port, or 0 for any free port");
        }
        WebServer made = new WebServer(server, routes, token, limits);
        server.setExecutor(made.workers);
        server.createContext("/", made::handle);
        server.start();
        return made;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** The address without the token. */
    public String address() {
        return "http://127.0.0.1:" + port() + "/";
    }

    public String addressWithToken() {
        return address() + "?token=" + token.text();
    }

    private void handle(HttpExchange exchange) throws IOException {
        synchronized (this) {
            busy++;
        }
        try {
            send(exchange, answer(exchange));
        } finally {
            exchange.close();
            synchronized (this) {
                busy--;
                notifyAll();
            }
        }
    }

    private Reply answer(HttpExchange exchange) {
        boolean api = true;
        try {
            api = exchange.getRequestURI().getRawPath().startsWith("/api");
            Reply instead = guard.check(exchange);
            if (instead != null) {
                return instead;
            }
            if (!known.take(System.nanoTime())) {
                throw new WebException(429, "too many requests; retry in a second");
            }
            return answered(exchange);
        } catch (WebException e) {
            if ((e.status() == 401 || e.status() == 403) && !unknown.take(System.nanoTime())) {
                return Reply.error(429, "too many requests");
            }
            return api
                    ? Reply.error(e.status(), String.valueOf(e.getMessage()))
                    : Reply.errorPage(e.status(), String.valueOf(e.getMessage()));
        } catch (InputException e) {
            return Reply.error(400, String.valueOf(e.getMessage()));
        } catch (Exception e) {
            LOG.log(System.Logger.Level.WARNING, "a request failed: " + exchange.getRequestURI(), e);
            return Reply.error(500, "internal error: " + e.getClass().getSimpleName());
        }
    }

    private Reply answered(HttpExchange exchange) throws Exception {
        Routes.MatchedRoute found = routes.find(
                exchange.getRequestMethod(), exchange.getRequestURI().getRawPath());
        return found.handler()
                .answer(new HttpRequest(
                        found.variables(),
                        HttpRequest.parameters(exchange.getRequestURI().getRawQuery()),
                        body(exchange)));
    }

    private String body(HttpExchange exchange) throws IOException {
        String length = exchange.getRequestHeaders().getFirst("Content-Length");
        if (length != null && (length.length() > 9 || Integer.parseInt(length) > limits.bodyBytes())) {
            throw new WebException(413, "the body is larger than " + limits.bodyBytes() + " bytes");
        }
        try (InputStream in = exchange.getRequestBody()) {
            byte[] body = in.readNBytes(limits.bodyBytes() + 1);
            if (body.length > limits.bodyBytes()) {
                throw new WebException(413, "the body is larger than " + limits.bodyBytes() + " bytes");
            }
            return new String(body, StandardCharsets.UTF_8);
        } catch (IOException e) {
            // The client may have disconnected; not an internal error.
            throw new WebException(400, "incomplete request body");
        }
    }

    private void send(HttpExchange exchange, Reply reply) throws IOException {
        Reply.Streaming stream = reply.stream();
        if (stream == null) {
            write(exchange, reply);
            return;
        }
        EventStream events = open(exchange);
        if (events == null) {
            write(
                    exchange,
                    Reply.error(503, "too many open event streams; close some pages")
                            .with("Retry-After", "5"));
            return;
        }
        try {
            headers(exchange, reply);
            exchange.sendResponseHeaders(reply.status(), 0);
            stream.send(events);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            streams.remove(events);
        }
    }

    private synchronized @Nullable EventStream open(HttpExchange exchange) {
        if (streams.size() >= limits.streams()) {
            return null;
        }
        EventStream made = new EventStream(exchange.getResponseBody(), limits.streamFor());
        streams.add(made);
        return made;
    }

    private static void write(HttpExchange exchange, Reply reply) throws IOException {
        headers(exchange, reply);
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        if (reply.status() >= 400) {
            // Does not wait for the rest of the request.
            exchange.getResponseHeaders().set("Connection", "close");
        }
        exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
            // Closing may wait for the rest of the request before it sends the buffer.
            exchange.getResponseBody().flush();
        }
    }

    private static void headers(HttpExchange exchange, Reply reply) {
        Headers headers = exchange.getResponseHeaders();
        ALWAYS.forEach(headers::set);
        headers.set("Content-Type", reply.type());
        reply.headers().forEach(headers::set);
    }

    /** Ends the event streams, serves their clients' last requests, and stops. */
    public void finish(Duration lastLook) throws InterruptedException {
        boolean followed = !streams.isEmpty();
        streams.forEach(EventStream::close);
        if (followed) {
            Thread.sleep(lastLook.toMillis());
        }
        close();
    }

    /** Stops: accepts no requests, ends the event streams, and waits a few seconds for requests in progress. */
    @Override
    public void close() {
        streams.forEach(EventStream::close);
        long until = System.nanoTime() + Duration.ofSeconds(3).toNanos();
        synchronized (this) {
            try {
                for (long left = until - System.nanoTime(); busy > 0 && left > 0; left = until - System.nanoTime()) {
                    wait(left / 1_000_000 + 1);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        server.stop(0);
        workers.shutdownNow();
    }

    /** A rate limit: requests per second on average, with bursts of twice that number. */
    private static final class Rate {
        private final int perSecond;
        private double tokens;
        private long requestedAt;

        Rate(int perSecond, long nanos) {
            this.perSecond = perSecond;
            tokens = 2.0 * perSecond;
            requestedAt = nanos;
        }

        /** Whether one more request is allowed at an instant of the monotonic clock. */
        synchronized boolean take(long nanos) {
            tokens = Math.min(2.0 * perSecond, tokens + (nanos - requestedAt) * 1e-9 * perSecond);
            requestedAt = nanos;
            if (tokens < 1) {
                return false;
            }
            tokens--;
            return true;
        }
    }
}
