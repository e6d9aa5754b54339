package io.sheaf.app.web;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An authorized request.
 *
 * @param path the path variables, by their names in the route
 * @param query the parameters; the last one of a name counts
 * @param body empty if there is none
 */
public record HttpRequest(Map<String, String> path, Map<String, String> query, String body) {
    public HttpRequest {
        path = Map.copyOf(path);
        query = Map.copyOf(query);
    }

    /** A path variable, which the route must define. */
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

    /** An integer parameter. */
    public long number(String name, long minimum, long maximum, long otherwise) {
        String text = query.get(name);
        if (text == null) {
            return otherwise;
        }
        try {
            long value = Long.parseLong(text);
            if (value >= minimum && value <= maximum) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new WebException(
                400, name + ": must be a whole number from " + minimum + " to " + maximum + ", not '" + text + "'");
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

    /** Decodes %XX sequences. */
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
