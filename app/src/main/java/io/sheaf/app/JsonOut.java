package io.sheaf.app;

import io.sheaf.text.DecimalText;
import io.sheaf.text.TimeText;
import java.io.PrintWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/**
 * Writes JSON for programs: indented, numbers always in the same form.
 *
 * <p>Closing it ends the value and its line, and leaves the writer open.
 */
final class JsonOut implements AutoCloseable {
    private final PrintWriter writer;
    private final JsonGenerator json;

    JsonOut(PrintWriter writer) {
        this.writer = writer;
        this.json = JsonFactory.builder()
                .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
                .build()
                .createGenerator(new Indented(), writer);
    }

    /** Asks for an indented form. */
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

    JsonOut object() {
        json.writeStartObject();
        return this;
    }

    JsonOut object(String name) {
        json.writeName(name);
        return object();
    }

    JsonOut array(String name) {
        json.writeName(name);
        json.writeStartArray();
        return this;
    }

    JsonOut field(String name, String value) {
        json.writeStringProperty(name, value);
        return this;
    }

    JsonOut field(String name, long value) {
        json.writeNumberProperty(name, value);
        return this;
    }

    JsonOut field(String name, boolean value) {
        json.writeBooleanProperty(name, value);
        return this;
    }

    /** A time in seconds, exactly. */
    JsonOut seconds(String name, long micros) {
        json.writeName(name);
        json.writeNumber(TimeText.seconds(micros));
        return this;
    }

    /** A number with so many decimals, always; null where there is none. */
    JsonOut decimal(String name, double value, int places) {
        json.writeName(name);
        if (Double.isNaN(value)) {
            json.writeNull();
        } else {
            json.writeNumber(DecimalText.fixed(value, places));
        }
        return this;
    }

    JsonOut value(String value) {
        json.writeString(value);
        return this;
    }

    JsonOut value(long value) {
        json.writeNumber(value);
        return this;
    }

    /** Ends the innermost object or array. */
    JsonOut end() {
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
