package io.sheaf.app.web;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The routing table: a handler for each method and path pattern, such as {@code /api/runs/{id}}. A part in braces
 * matches any non-empty part; the first matching pattern applies.
 *
 * <p>Paths are split before decoding, so an encoded slash cannot change the path.
 */
public final class Routes {
    /** Answers a request; an exception becomes an error reply. */
    @FunctionalInterface
    public interface Handler {
        Reply answer(HttpRequest request) throws Exception;
    }

    private record Route(String method, String pattern, List<String> parts, Handler handler) {}

    /** A handler, with the variables of the path. */
    record MatchedRoute(Handler handler, Map<String, String> variables) {}

    private final List<Route> routes = new ArrayList<>();

    public Routes on(String method, String pattern, Handler handler) {
        routes.add(new Route(method, pattern, parts(pattern), handler));
        return this;
    }

    /** Adds the routes of another object. */
    public Routes with(Routes added) {
        routes.addAll(added.routes);
        return this;
    }

    /** Methods and patterns, such as {@code GET /api/runs/{id}}, for documentation. */
    public List<String> list() {
        return routes.stream().map(route -> route.method + " " + route.pattern).toList();
    }

    private static List<String> parts(String path) {
        return List.of(path.split("/", -1));
    }

    MatchedRoute find(String method, String rawPath) {
        List<String> parts = parts(rawPath);
        TreeSet<String> methods = new TreeSet<>();
        for (Route route : routes) {
            Map<String, String> variables = fit(route.parts, parts);
            if (variables != null && route.method.equals(method)) {
                return new MatchedRoute(route.handler, variables);
            } else if (variables != null) {
                methods.add(route.method);
            }
        }
        if (methods.isEmpty()) {
            throw WebException.notFound("not found");
        }
        throw new WebException(405, "allowed methods: " + String.join(", ", methods));
    }

    private static @Nullable Map<String, String> fit(List<String> pattern, List<String> parts) {
        if (pattern.size() != parts.size()) {
            return null;
        }
        Map<String, String> variables = new HashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            String expected = pattern.get(i);
            if (expected.startsWith("{")) {
                if (parts.get(i).isEmpty()) {
                    return null;
                }
                variables.put(expected.substring(1, expected.length() - 1), HttpRequest.decoded(parts.get(i)));
            } else if (!expected.equals(parts.get(i))) {
                return null;
            }
        }
        return variables;
    }
}
