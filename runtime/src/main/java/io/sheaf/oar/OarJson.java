package io.sheaf.oar;

import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A JSON object in the output of {@code oarstat -J} or {@code oarnodes -J}, which print nothing for an empty result.
 *
 * <p>OAR writes numbers as numbers or strings; absent, null and empty are equivalent.
 */
record OarJson(Map<String, Object> values) {
    private static final JsonFactory JSON = new JsonFactory();

    /**
     * Parses a command's output.
     *
     * @param command the command's name for error messages
     */
    static OarJson parse(String command, String text) {
        if (text.isBlank()) {
            return new OarJson(Map.of());
        }
        try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), text)) {
            if (in.nextToken() == JsonToken.START_OBJECT) {
                return object(in);
            }
        } catch (JacksonException e) {
            throw new InputException(command + " printed invalid JSON: " + e.getOriginalMessage());
        }
        throw new InputException(
                command + " printed '" + text.strip().lines().findFirst().orElse("") + "', which is not JSON");
    }

    private static OarJson object(JsonParser in) {
        Map<String, Object> values = new LinkedHashMap<>();
        while (in.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = in.currentName();
            in.nextToken();
            Object value = value(in);
            if (value != null) {
                values.put(name, value);
            }
        }
        return new OarJson(values);
    }

    private static @Nullable Object value(JsonParser in) {
        JsonToken token = in.currentToken();
        if (token == JsonToken.START_OBJECT) {
            return object(in);
        }
        if (token == JsonToken.START_ARRAY) {
            List<Object> all = new ArrayList<>();
            while (in.nextToken() != JsonToken.END_ARRAY) {
                Object each = value(in);
                if (each != null) {
                    all.add(each);
                }
            }
            return all;
        }
        return token == JsonToken.VALUE_NULL ? null : in.getString();
    }

    Map<String, OarJson> objects() {
        Map<String, OarJson> objects = new LinkedHashMap<>();
        values.forEach((name, value) -> {
            if (value instanceof OarJson object) {
                objects.put(name, object);
            }
        });
        return objects;
    }

    /** An object in this one; an empty one if there is none. */
    OarJson object(String name) {
        return values.get(name) instanceof OarJson object ? object : new OarJson(Map.of());
    }

    List<OarJson> list(String name) {
        return all(name)
                .filter(OarJson.class::isInstance)
                .map(OarJson.class::cast)
                .toList();
    }

    List<String> words(String name) {
        return all(name).map(Object::toString).toList();
    }

    private Stream<?> all(String name) {
        return values.get(name) instanceof List<?> all ? all.stream() : Stream.empty();
    }

    String text(String name) {
        return values.get(name) instanceof String text ? text : "";
    }

    /** A number; 0 if absent. */
    long number(String name) {
        try {
            return Long.parseLong(text(name));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
