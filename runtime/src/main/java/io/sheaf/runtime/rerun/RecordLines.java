package io.sheaf.runtime.rerun;

import io.sheaf.runtime.spec.FlatJson;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Encodes records as lines of JSON. An incomplete line is invalid JSON and therefore detected. */
final class RecordLines {
    private static final String RUN = "run";
    private static final JsonFactory JSON = new JsonFactory();

    private RecordLines() {}

    static String line(CommittedTask record) {
        return FlatJson.object(out -> {
                    out.writeStringProperty("task", record.task());
                    out.writeStringProperty("command", record.command());
                    out.writeNumberProperty("at", record.at());
                    CommittedTask.SuccessfulAttempt by = record.by();
                    if (by != null) {
                        out.writeArrayPropertyStart("by");
                        out.writeNumber(by.number());
                        out.writeNumber(by.token());
                        out.writeNumber(by.node());
                        out.writeNumber(by.took());
                        out.writeEndArray();
                    }
                    out.writeName("in");
                    write(record.inputs(), out);
                    out.writeName("out");
                    write(record.outputs(), out);
                })
                + "\n";
    }

    /** The first line of a file, which names the run. */
    static String header(Path run) {
        return FlatJson.object(out -> out.writeStringProperty(RUN, run.toString())) + "\n";
    }

    /** The run's folder in a header; null if the line is no header. */
    static @Nullable Path run(String line) {
        try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), line)) {
            in.nextToken();
            boolean header = in.nextToken() == JsonToken.PROPERTY_NAME && RUN.equals(in.currentName());
            in.nextToken();
            return header ? Path.of(in.getString()) : null;
        } catch (JacksonException | InvalidPathException e) {
            return null;
        }
    }

    /** Encodes file states. */
    static String line(Map<String, FileMark> marks) {
        return FlatJson.object(out -> writeAll(marks, out)) + "\n";
    }

    private static void write(Map<String, FileMark> marks, JsonGenerator out) {
        out.writeStartObject();
        writeAll(marks, out);
        out.writeEndObject();
    }

    private static void writeAll(Map<String, FileMark> marks, JsonGenerator out) {
        marks.forEach((name, mark) -> {
            out.writeName(name);
            out.writeStartArray();
            out.writeNumber(mark.bytes());
            out.writeNumber(mark.millis());
            if (!mark.hash().isEmpty()) {
                out.writeString(mark.hash());
            }
            out.writeEndArray();
        });
    }

    /** Parses a record; null if the line is incomplete or has another format. */
    static @Nullable CommittedTask record(String line) {
        String task = "";
        String command = "";
        long at = 0;
        CommittedTask.SuccessfulAttempt by = null;
        Map<String, FileMark> inputs = Map.of();
        Map<String, FileMark> outputs = Map.of();
        try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), line)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            while (in.nextToken() == JsonToken.PROPERTY_NAME) {
                String key = in.currentName();
                in.nextToken();
                switch (key) {
                    case "task" -> task = in.getString();
                    case "command" -> command = in.getString();
                    case "at" -> at = in.getLongValue();
                    case "by" -> by = attempt(in);
                    case "in" -> inputs = read(in);
                    case "out" -> outputs = read(in);
                    default -> in.skipChildren();
                }
            }
        } catch (JacksonException e) {
            return null;
        }
        return task.isEmpty() ? null : new CommittedTask(task, command, at, by, inputs, outputs);
    }

    private static CommittedTask.SuccessfulAttempt attempt(JsonParser in) {
        long[] values = new long[4];
        for (int i = 0; i < values.length; i++) {
            in.nextToken();
            values[i] = in.getLongValue();
        }
        in.nextToken();
        return new CommittedTask.SuccessfulAttempt((int) values[0], values[1], (int) values[2], values[3]);
    }

    /** Parses file states; null if the line is incomplete. */
    static @Nullable Map<String, FileMark> marks(String line) {
        try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), line)) {
            return in.nextToken() == JsonToken.START_OBJECT ? read(in) : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    private static Map<String, FileMark> read(JsonParser in) {
        Map<String, FileMark> marks = new LinkedHashMap<>();
        while (in.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = in.currentName();
            in.nextToken();
            in.nextToken();
            long bytes = in.getLongValue();
            in.nextToken();
            long millis = in.getLongValue();
            String hash = "";
            if (in.nextToken() == JsonToken.VALUE_STRING) {
                hash = in.getString();
                in.nextToken();
            }
            marks.put(name, new FileMark(bytes, millis, hash));
        }
        return marks;
    }
}
