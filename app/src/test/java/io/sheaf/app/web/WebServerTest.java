package io.sheaf.app.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.text.InputException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Authentication, refused requests and limits of the web server. */
@Timeout(60)
class WebServerTest {
    private static final int BODY = 1000;

    private final Token token = Token.random();
    private final CountDownLatch streamEnded = new CountDownLatch(1);
    private final CountDownLatch requestReceived = new CountDownLatch(1);
    private final CountDownLatch replyAllowed = new CountDownLatch(1);
    private WebServer server = serve(new Limits(BODY, 200, 2, Duration.ofSeconds(30)));

    WebServerTest() throws IOException {}

    private WebServer serve(Limits limits) throws IOException {
        Routes routes = new Routes()
                .on("GET", "/", request -> Reply.text("the page"))
                .on("GET", "/api/things/{id}", request -> Reply.json("\"" + request.path("id") + "\""))
                .on("GET", "/api/number", request -> Reply.json("" + request.number("n", 1, 10, 5)))
                .on("GET", "/api/broken", request -> {
                    throw new IllegalStateException("a secret");
                })
                .on("GET", "/api/bad", request -> {
                    throw new InputException("bad \"input\"\nof two lines");
                })
                .on("GET", "/api/slow", request -> {
                    requestReceived.countDown();
                    replyAllowed.await(20, TimeUnit.SECONDS);
                    return Reply.json("1");
                })
                .on(
                        "POST",
                        "/api/things",
                        request -> Reply.json("" + request.body().length()))
                .on(
                        "GET",
                        "/api/events",
                        request -> Reply.stream(stream -> {
                            try {
                                stream.send("first", "one\ntwo");
                                while (stream.pause(20_000)) {
                                    stream.send("more", "");
                                }
                            } finally {
                                streamEnded.countDown();
                            }
                        }));
        return WebServer.start(0, token, routes, limits);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String get(String path, String... headers) throws IOException {
        return request("GET", path, headers);
    }

    private String request(String method, String path, String... headers) throws IOException {
        List<String> lines =
                new ArrayList<>(List.of(method + " " + path + " HTTP/1.1", "Host: localhost:" + server.port()));
        lines.addAll(List.of(headers));
        return RawClient.request(server.port(), lines.toArray(String[]::new));
    }

    private String bearer() {
        return "Authorization: Bearer " + token.text();
    }

    @Test
    void nothingIsServedWithoutTheToken() throws IOException {
        for (String path : List.of("/", "/api/things/1", "/nowhere", "/api/events", "/?x=1")) {
            assertThat(get(path)).as(path).startsWith("HTTP/1.1 401 ").doesNotContain("the page");
        }
        assertThat(get("/api/things/1")).contains("{\"error\": \"missing token");
        assertThat(get("/", "Authorization: Bearer " + "0".repeat(64))).startsWith("HTTP/1.1 401 ");
        assertThat(get("/", "Authorization: Bearer")).startsWith("HTTP/1.1 401 ");
        assertThat(get("/", "Authorization: Basic " + token.text())).startsWith("HTTP/1.1 401 ");
        assertThat(get("/?token=" + "0".repeat(64))).startsWith("HTTP/1.1 401 ").doesNotContain("Set-Cookie");
        assertThat(request("POST", "/api/things?token=" + token.text(), "Content-Length: 0"))
                .startsWith("HTTP/1.1 401 ");
        assertThat(get("/", bearer())).startsWith("HTTP/1.1 200 ").endsWith("the page");
    }

    @Test
    void aTokenInTheAddressIsReplacedByACookie() throws IOException {
        String first = get("/api/things/1?a=b&token=" + token.text() + "&c=d");
        assertThat(first)
                .startsWith("HTTP/1.1 303 ")
                .contains("Location: /api/things/1?a=b&c=d\r\n")
                .contains("; Path=/; HttpOnly; SameSite=Lax");
        String cookie = first.replaceAll("(?s).*Set-cookie: ([^;]*);.*", "$1");
        assertThat(get("/api/things/1", "Cookie: other=1; " + cookie)).startsWith("HTTP/1.1 200 ");
        assertThat(get("/api/things/1", "Cookie: " + cookie.replaceAll("=.", "=x")))
                .startsWith("HTTP/1.1 401 ");
        // The redirection must not lead to another host; some JDKs refuse such a target themselves.
        String other = get("//elsewhere.example/?token=" + token.text());
        assertThat(other).containsAnyOf("Location: /\r\n", "HTTP/1.1 400 ").doesNotContain("Location: //");
    }

    @Test
    void onlyLocalHostNamesAreAccepted() throws IOException {
        for (String host :
                List.of("evil.example", "evil.example:80", "localhost.evil.example", "localhost:80:80", "")) {
            assertThat(RawClient.request(server.port(), "GET / HTTP/1.1", "Host: " + host, bearer()))
                    .as(host)
                    .startsWith("HTTP/1.1 403 ");
        }
        for (String host : List.of("localhost:9999", "127.0.0.1", "[::1]:9999", "LOCALHOST")) {
            assertThat(RawClient.request(server.port(), "GET / HTTP/1.1", "Host: " + host, bearer()))
                    .as(host)
                    .startsWith("HTTP/1.1 200 ");
        }
        assertThat(RawClient.request(server.port(), "GET / HTTP/1.0", bearer())).contains(" 403 ");
    }

    @Test
    void crossOriginRequestsAreRefused() throws IOException {
        String cookie = "Cookie: " + token.cookie() + "=" + token.text();
        String own = "Origin: http://localhost:" + server.port();
        assertThat(request("POST", "/api/things", cookie, own, "Content-Length: 0"))
                .startsWith("HTTP/1.1 200 ");
        assertThat(request("POST", "/api/things", cookie, "Origin: http://localhost:1", "Content-Length: 0"))
                .startsWith("HTTP/1.1 403 ");
        assertThat(request("POST", "/api/things", cookie, own, "Sec-Fetch-Site: same-site", "Content-Length: 0"))
                .startsWith("HTTP/1.1 403 ");
        assertThat(get("/api/events", cookie, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: cors"))
                .startsWith("HTTP/1.1 403 ");
        assertThat(get("/", cookie, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"))
                .startsWith("HTTP/1.1 200 ");
    }

    @Test
    void everyReplyHasSecurityHeaders() throws IOException {
        for (String reply : List.of(get("/", bearer()), get("/"), get("/api/broken", bearer()))) {
            assertThat(reply)
                    .contains("Content-security-policy: default-src 'none'; script-src 'self'")
                    .contains("frame-ancestors 'none'")
                    .contains("X-content-type-options: nosniff")
                    .contains("Referrer-policy: no-referrer")
                    .contains("Cache-control: no-store");
        }
    }

    @Test
    void pathsCannotReachOtherRoutes() throws IOException {
        assertThat(get("/api/things/a%20b%2Fc", bearer())).endsWith("\"a b/c\"");
        assertThat(get("/api/things/..%2f..%2fetc%2fpasswd", bearer())).endsWith("\"../../etc/passwd\"");
        for (String path :
                List.of("/api/things/../number", "/../etc/passwd", "/api/things/", "/api//number", "/api/number/")) {
            assertThat(get(path, bearer())).as(path).startsWith("HTTP/1.1 404 ");
        }
        assertThat(get("/api/things/%zz", bearer())).startsWith("HTTP/1.1 400 ");
    }

    @Test
    void errorsAreOneLineWithoutInternalDetails() throws IOException {
        assertThat(get("/api/nowhere", bearer())).startsWith("HTTP/1.1 404 ").endsWith("{\"error\": \"not found\"}\n");
        assertThat(request("PUT", "/api/things", bearer(), "Content-Length: 0"))
                .startsWith("HTTP/1.1 405 ")
                .contains("allowed methods: POST");
        assertThat(get("/api/broken", bearer())).startsWith("HTTP/1.1 500 ").doesNotContain("secret");
        assertThat(get("/api/bad", bearer()))
                .startsWith("HTTP/1.1 400 ")
                .endsWith("{\"error\": \"bad \\\"input\\\" of two lines\"}\n");
        assertThat(get("/api/number?n=11", bearer()))
                .startsWith("HTTP/1.1 400 ")
                .contains("n: must be a whole number from 1 to 10");
        assertThat(get("/api/number?n=7", bearer())).endsWith("7");
        assertThat(get("/api/number", bearer())).endsWith("5");
    }

    @Test
    void malformedRequestsAreRefused() throws IOException {
        for (String lines : List.of(
                "\r\n\r\n",
                "GET\r\n\r\n",
                "GET / HTTP/1.1\r\nno header\r\n\r\n",
                "GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "POST /api/things HTTP/1.1\r\nHost: localhost\r\n" + bearer() + "\r\nContent-Length: -1\r\n\r\n",
                "POST /api/things HTTP/1.1\r\nHost: localhost\r\n" + bearer() + "\r\nContent-Length: x\r\n\r\n")) {
            try (RawClient client = new RawClient(server.port())) {
                client.send(lines);
                if (!lines.equals("\r\n\r\n")) {
                    assertThat(client.readUntil("\r\n")).as(lines).startsWith("HTTP/1.1 4");
                }
            }
        }
        assertThat(get("/", bearer())).as("a valid request is still served").startsWith("HTTP/1.1 200 ");
    }

    @Test
    void bodySizeIsLimited() throws IOException {
        assertThat(post("Content-Length: " + BODY, "x".repeat(BODY))).startsWith("HTTP/1.1 200 ");
        assertThat(post("Content-Length: " + (BODY + 1), "")).startsWith("HTTP/1.1 413 ");
        assertThat(post("Content-Length: 99999999999999", "")).startsWith("HTTP/1.1 413 ");
        String chunks = "100\r\n" + "x".repeat(0x100) + "\r\n";
        assertThat(post("Transfer-Encoding: chunked", chunks + "0\r\n\r\n")).startsWith("HTTP/1.1 200 ");
        assertThat(post("Transfer-Encoding: chunked", chunks.repeat(5) + "0\r\n\r\n"))
                .startsWith("HTTP/1.1 413 ");
    }

    private String post(String header, String body) throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send("POST /api/things HTTP/1.1\r\nHost: localhost\r\n" + bearer() + "\r\nConnection: close\r\n"
                    + header + "\r\n\r\n" + body);
            // The server may wait a while for the rest of a refused body.
            return client.readUntil("\r\n\r\n");
        }
    }

    @Test
    void slowClientsDoNotDelayOthers() throws IOException {
        List<RawClient> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                slow.add(new RawClient(server.port()));
                slow.get(i).send("GET / HTTP/1.1\r\nHost: loc");
            }
            assertThat(get("/", bearer())).startsWith("HTTP/1.1 200 ");
        } finally {
            for (RawClient each : slow) {
                each.close();
            }
        }
    }

    @Test
    void tooManyRequestsAreRefused() throws IOException {
        stop();
        server = serve(new Limits(BODY, 1, 32, Duration.ofMinutes(5)));
        int refused = 0;
        for (int i = 0; i < 8; i++) {
            refused += get("/", bearer()).startsWith("HTTP/1.1 429 ") ? 1 : 0;
        }
        assertThat(refused).isBetween(3, 6);
    }

    @Test
    void requestsWithoutTheTokenDoNotUseUpTheLimit() throws IOException {
        stop();
        server = serve(new Limits(BODY, 1, 32, Duration.ofMinutes(5)));
        boolean anyRefused = false;
        for (int i = 0; i < 8; i++) {
            anyRefused |= get("/").startsWith("HTTP/1.1 429 ");
        }
        assertThat(anyRefused).isTrue();
        assertThat(get("/", bearer())).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void streamsAreLimitedAndEndWithTheServer() throws Exception {
        String open = "GET /api/events HTTP/1.1\r\nHost: localhost\r\n" + bearer() + "\r\n\r\n";
        try (RawClient one = new RawClient(server.port());
                RawClient two = new RawClient(server.port());
                RawClient three = new RawClient(server.port())) {
            one.send(open);
            assertThat(one.readUntil("two\n\n"))
                    .contains("Content-type: text/event-stream")
                    .contains("event: first\ndata: one\ndata: two\n\n");
            two.send(open);
            two.readUntil("two\n\n");
            three.send(open);
            assertThat(three.readAll()).startsWith("HTTP/1.1 503 ").contains("too many open event streams");
            server.close();
            assertThat(streamEnded.await(5, TimeUnit.SECONDS)).isTrue();
            assertThat(one.readAll()).doesNotContain("event:");
        }
    }

    @Test
    void aServedRequestCompletesBeforeTheServerStops() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET /api/slow HTTP/1.1\r\nHost: localhost\r\n" + bearer() + "\r\nConnection: close\r\n\r\n");
            assertThat(requestReceived.await(10, TimeUnit.SECONDS)).isTrue();
            Thread stopping = new Thread(server::close);
            stopping.start();
            replyAllowed.countDown();
            assertThat(client.readAll()).startsWith("HTTP/1.1 200 ").endsWith("1");
            stopping.join(10_000);
            assertThat(stopping.isAlive()).isFalse();
        }
        assertThatThrownBy(() -> new RawClient(server.port()).close()).isInstanceOf(IOException.class);
    }

    @Test
    void aPortInUseIsReported() {
        assertThatThrownBy(() -> WebServer.start(server.port(), token, new Routes(), Limits.DEFAULT))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("port " + server.port())
                .hasMessageContaining("--port");
    }

    @Test
    void routesAreListed() {
        assertThat(new Routes()
                        .on("GET", "/a/{b}", request -> Reply.text(""))
                        .with(new Routes().on("POST", "/c", request -> Reply.text("")))
                        .list())
                .containsExactly("GET /a/{b}", "POST /c");
        assertThat(HttpRequest.parameters("a=1&a=2&b&c=x+y%26")).isEqualTo(Map.of("a", "2", "b", "", "c", "x y&"));
    }
}
