package io.sheaf.app.cli;

import io.sheaf.text.DecimalText;
import io.sheaf.text.TimeText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/**
 * A JSON writer with a fixed number format, indented by default.
 *
 * <p>Closing it ends the value and its line, and leaves the underlying writer open.
 */
public final class JsonOut implements AutoCloseable {
    private final PrintWriter writer;
    private final JsonGenerator json;

    public JsonOut(PrintWriter writer) {
        this(writer, new Indented());
    }

    private JsonOut(PrintWriter writer, ObjectWriteContext context) {
        this.writer = writer;
        this.json = JsonFactory.builder()
                .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
                .build()
                .createGenerator(context, writer);
    }

    /** Prints one object, indented, with these fields. */
    public static void print(PrintWriter writer, Consumer<JsonOut> fields) {
        try (JsonOut out = new JsonOut(writer)) {
            fields.accept(out.object());
            out.end();
        }
    }

    /** One object with these fields, on one line. */
    public static String line(Consumer<JsonOut> fields) {
        StringWriter text = new StringWriter();
        try (JsonOut out = new JsonOut(new PrintWriter(text), ObjectWriteContext.empty())) {
            fields.accept(out.object());
            out.end();
        }
        return text.toString();
    }

    /** Selects indented output. */
    private static final class Indented extends ObjectWriteContext.Base {
        @Override
        public tools.jackson.core.PrettyPrinter getPrettyPrinter() {
            return new DefaultPrettyPrinter();
        }

        @Override
        public boolean hasPrettyPrinter() {
            return true;
        }
    }

    public JsonOut object() {
        json.writeStartObject();
        return this;
    }

    public JsonOut object(String name) {
        json.writeName(name);
        return object();
    }

    public JsonOut array(String name) {
        json.writeName(name);
        json.writeStartArray();
        return this;
    }

    public JsonOut array() {
        json.writeStartArray();
        return this;
    }

    public JsonOut field(String name, String value) {
        json.writeStringProperty(name, value);
        return this;
    }

    public JsonOut field(String name, long value) {
        json.writeNumberProperty(name, value);
        return this;
    }

    public JsonOut field(String name, boolean value) {
        json.writeBooleanProperty(name, value);
        return this;
    }

    /** A time in exact seconds. */
    public JsonOut seconds(String name, long micros) {
        json.writeName(name);
        json.writeNumber(TimeText.seconds(micros));
        return this;
    }

    /** A number with a fixed number of decimals; null for NaN. */
    public JsonOut decimal(String name, double value, int places) {
        json.writeName(name);
        if (Double.isNaN(value)) {
            json.writeNull();
        } else {
            json.writeNumber(DecimalText.fixed(value, places));
        }
        return this;
    }

    public JsonOut value(String value) {
        json.writeString(value);
        return this;
    }

    public JsonOut value(long value) {
        json.writeNumber(value);
        return this;
    }

    /** An array of texts. */
    public JsonOut texts(String name, Iterable<String> values) {
        array(name);
        values.forEach(this::value);
        return end();
    }

    /** An array with one object per row; the function writes its fields. */
    public <R> JsonOut objects(String name, Iterable<R> rows, Consumer<R> fields) {
        array(name);
        for (R row : rows) {
            object();
            fields.accept(row);
            end();
        }
        return end();
    }

    /** An array with this many objects; the function writes the fields of each by its number. */
    public JsonOut objects(String name, int count, IntConsumer fields) {
        return objects(name, IntStream.range(0, count).boxed().toList(), fields::accept);
    }

    /** A text; nothing if it is empty. */
    public JsonOut optional(String name, String value) {
        return value.isEmpty() ? this : field(name, value);
    }

    /** Ends the innermost object or array. */
    public JsonOut end() {
        if (json.streamWriteContext().inArray()) {
            json.writeEndArray();
        } else {
            json.writeEndObject();
        }
        return this;
    }

    @Override
    public void close() {
        json.close();
        writer.println();
    }
}
