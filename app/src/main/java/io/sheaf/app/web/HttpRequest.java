package io.sheaf.app.web;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request that was let in.
 *
 * @param path its variables, by their names in the route
 * @param query its parameters; of one that is given twice the last
 * @param body empty where there is none
 */
public record HttpRequest(String method, Map<String, String> path, Map<String, String> query, String body) {
    public HttpRequest {
        path = Map.copyOf(path);
        query = Map.copyOf(query);
    }

    /** A variable of the path, which the route has. */
    public String path(String name) {
        String value = path.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the route has no {" + name + "}");
        }
        return value;
    }

    public @Nullable String query(String name) {
        return query.get(name);
    }

    /** A whole number among the parameters. */
    public long number(String name, long least, long most, long otherwise) {
        String text = query.get(name);
        if (text == null) {
            return otherwise;
        }
        try {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw new WebException(
                400, name + ": must be a whole number from " + least + " to " + most + ", not '" + text + "'");
    }

    static Map<String, String> parameters(@Nullable String rawQuery) {
        Map<String, String> parameters = new HashMap<>();
        if (rawQuery == null || rawQuery.isEmpty()) {
            return parameters;
        }
        for (String part : rawQuery.split("&", -1)) {
            int sign = part.indexOf('=');
            String name = sign < 0 ? part : part.substring(0, sign);
            parameters.put(
                    decoded(name.replace('+', ' ')),
                    sign < 0 ? "" : decoded(part.substring(sign + 1).replace('+', ' ')));
        }
        return parameters;
    }

    /** A text with its %XX resolved. */
    static String decoded(String raw) {
        if (raw.indexOf('%') < 0) {
            return raw;
        }
        try {
            return java.net.URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new WebException(400, "malformed address");
        }
    }
}
