package io.sheaf.runtime.spec;

import io.sheaf.text.InputException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A file of a run's folder: a JSON object whose values are texts, numbers, truth values, and lists of texts.
 *
 * @param values by key, in the order of the file; a single value is a list of one
 */
public record FlatJson(Map<String, List<String>> values) {
    private static final JsonFactory JSON = new JsonFactory();

    /** Parses the content of a file; refused if it is not JSON. */
    public static FlatJson parse(String content) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), content)) {
            List<String> current = new ArrayList<>();
            for (JsonToken token = in.nextToken(); token != null; token = in.nextToken()) {
                if (token == JsonToken.PROPERTY_NAME) {
                    current = values.computeIfAbsent(in.currentName(), key -> new ArrayList<>());
                } else if (token.isScalarValue()) {
                    current.add(in.getString());
                }
            }
        } catch (JacksonException e) {
            throw new InputException("not JSON: " + e.getOriginalMessage());
        }
        return new FlatJson(values);
    }

    /** The text of an object. */
    public static String object(Consumer<JsonGenerator> properties) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            out.writeStartObject();
            properties.accept(out);
            out.writeEndObject();
        }
        return text.toString();
    }

    /** Writes a list. */
    public static void write(JsonGenerator out, String key, Iterable<String> values) {
        out.writeArrayPropertyStart(key);
        values.forEach(out::writeString);
        out.writeEndArray();
    }

    public boolean has(String key) {
        return values.containsKey(key);
    }

    /** The values of a list; empty if there is none. */
    public List<String> list(String key) {
        return values.getOrDefault(key, List.of());
    }

    /** A value that must be there. */
    public String text(String key) {
        List<String> found = list(key);
        if (found.isEmpty()) {
            throw new InputException("has no '" + key + "'; it may be from another version of Sheaf");
        }
        return found.get(0);
    }

    public boolean flag(String key) {
        return Boolean.parseBoolean(text(key));
    }

    /** A number; another one if there is none. */
    long number(String key, long otherwise) {
        return has(key) ? Long.parseLong(text(key)) : otherwise;
    }
}
