package io.sheaf.app.web;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The access control of the web server.
 *
 * <ul>
 *   <li>The Host header must be a name of this machine, against DNS rebinding. The port may be any, since the client
 *       may use a tunnel.
 *   <li>Every request needs the token: as {@code Authorization: Bearer}, or as a cookie. A browser gets the cookie from
 *       an address with {@code ?token=}, and is redirected to the address without it.
 *   <li>Requests that change state must not come from a page of another origin, such as another port of this machine.
 * </ul>
 */
final class Guard {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private final Token token;

    Guard(Token token) {
        this.token = token;
    }

    /** Throws if access is denied; returns a redirect if a browser has the token in the address, otherwise null. */
    @Nullable
    Reply check(HttpExchange exchange) {
        Headers headers = exchange.getRequestHeaders();
        String host = headers.getFirst("Host");
        if (host == null || headers.getOrDefault("Host", List.of()).size() != 1 || !isOwn(host)) {
            throw new WebException(403, "unknown host name; use localhost");
        }
        String query = exchange.getRequestURI().getRawQuery();
        Map<String, String> parameters = HttpRequest.parameters(query);
        String supplied = parameters.get("token");
        if (supplied != null && exchange.getRequestMethod().equals("GET")) {
            if (!token.is(supplied)) {
                throw new WebException(401, "invalid or expired token");
            }
            // Lax: also allows links from a web-based terminal. Requests that change state are
            // checked by origin.
            return Reply.redirect(withoutToken(exchange, query))
                    .with("Set-Cookie", token.cookie() + "=" + token.text() + "; Path=/; HttpOnly; SameSite=Lax");
        }
        if (!token.is(bearer(headers)) && !token.is(cookie(headers))) {
            throw new WebException(401, "missing token: use the address that was printed when this server started");
        }
        if (bearer(headers) == null) {
            refuseOtherOrigins(exchange.getRequestMethod(), headers, host);
        }
        return null;
    }

    private boolean isOwn(String host) {
        int port = host.lastIndexOf(':');
        String name = (port > host.lastIndexOf(']') ? host.substring(0, port) : host).toLowerCase(Locale.ROOT);
        boolean number =
                port <= host.lastIndexOf(']') || host.substring(port + 1).matches("[0-9]{1,5}");
        return number && LOOPBACK.contains(name);
    }

    /** The same address without the token; it begins with one slash, so that it cannot lead to another host. */
    private static String withoutToken(HttpExchange exchange, String query) {
        StringBuilder rest = new StringBuilder();
        for (String part : query.split("&", -1)) {
            if (!part.startsWith("token=")) {
                rest.append(rest.isEmpty() ? "?" : "&").append(part);
            }
        }
        return "/" + exchange.getRequestURI().getRawPath().replaceFirst("^/+", "") + rest;
    }

    private static @Nullable String bearer(Headers headers) {
        String value = headers.getFirst("Authorization");
        return value != null && value.regionMatches(true, 0, "Bearer ", 0, 7)
                ? value.substring(7).strip()
                : null;
    }

    private @Nullable String cookie(Headers headers) {
        String name = token.cookie() + "=";
        for (String line : headers.getOrDefault("Cookie", List.of())) {
            for (String part : line.split(";", -1)) {
                if (part.strip().startsWith(name)) {
                    return part.strip().substring(name.length());
                }
            }
        }
        return null;
    }

    private static void refuseOtherOrigins(String method, Headers headers, String host) {
        String site = headers.getFirst("Sec-Fetch-Site");
        boolean own = site == null || site.equals("same-origin") || site.equals("none");
        String origin = headers.getFirst("Origin");
        boolean sameOrigin = origin == null || origin.equals("http://" + host);
        boolean isReadable = method.equals("GET") && (own || "navigate".equals(headers.getFirst("Sec-Fetch-Mode")));
        if (!isReadable && !(own && sameOrigin)) {
            throw new WebException(403, "cross-origin requests are not allowed");
        }
    }
}
