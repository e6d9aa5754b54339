package io.sheaf.app.web;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is served: a handler for each method and pattern of a path, such as {@code /api/runs/{id}}. A part in braces takes any one part that is
 * not empty; of several patterns that fit, the one that was added first is taken.
 *
 * <p>Paths are taken apart before they are decoded: what is encoded within a part stays in it, and no part becomes a path of the file system.
 */
public final class Routes {
    /** Answers a request; an exception of its own making is answered as an error. */
    @FunctionalInterface
    public interface Handler {
        Reply answer(HttpRequest request) throws Exception;
    }

    private record Route(String method, String pattern, List<String> parts, Handler handler) {}

    /** A handler, with the variables of the path. */
    record Found(Handler handler, Map<String, String> variables) {}

    private final List<Route> routes = new ArrayList<>();

    public Routes on(String method, String pattern, Handler handler) {
        routes.add(new Route(method, pattern, parts(pattern), handler));
        return this;
    }

    /** Adds the routes of another object. */
    public Routes with(Routes others) {
        routes.addAll(others.routes);
        return this;
    }

    /** Methods and patterns, for a description of them: {@code GET /api/runs/{id}}. */
    public List<String> list() {
        return routes.stream().map(route -> route.method + " " + route.pattern).toList();
    }

    private static List<String> parts(String path) {
        return List.of(path.split("/", -1));
    }

    /** The handler for a path as it was sent. */
    Found find(String method, String rawPath) {
        List<String> parts = parts(rawPath);
        TreeSet<String> others = new TreeSet<>();
        for (Route route : routes) {
            Map<String, String> variables = fit(route.parts, parts);
            if (variables != null && route.method.equals(method)) {
                return new Found(route.handler, variables);
            } else if (variables != null) {
                others.add(route.method);
            }
        }
        if (others.isEmpty()) {
            throw WebException.notFound("not found");
        }
        throw new WebException(405, "allowed methods: " + String.join(", ", others));
    }

    private static @Nullable Map<String, String> fit(List<String> pattern, List<String> parts) {
        if (pattern.size() != parts.size()) {
            return null;
        }
        Map<String, String> variables = new HashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            String want = pattern.get(i);
            if (want.startsWith("{")) {
                if (parts.get(i).isEmpty()) {
                    return null;
                }
                variables.put(want.substring(1, want.length() - 1), HttpRequest.decoded(parts.get(i)));
            } else if (!want.equals(parts.get(i))) {
                return null;
            }
        }
        return variables;
    }
}
