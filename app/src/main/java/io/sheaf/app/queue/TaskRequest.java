package io.sheaf.app.queue;

import io.sheaf.runtime.control.SingleTask;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Resources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A request that a program sends to a {@link TaskStream} as one line.
 *
 * @param submit tasks to submit
 * @param cancel ids of tasks to cancel
 * @param expect tasks that the program expects to submit later; null if unchanged
 * @param end whether the queue ends with the input
 */
record TaskRequest(
        List<Task> submit, List<String> cancel, @Nullable List<ExpectedGroup> expect, boolean end) {
    private static final JsonFactory JSON = new JsonFactory();
    private static final List<String> KEYS =
            List.of("id folder command category cores memory gpus nodes time limit retries after".split(" ", -1));
    private static final List<String> EXPECTED_KEYS = List.of("tasks", "time", "cores");

    /** A task as the program describes it; texts are in the forms of {@code submit-task}. */
    record Task(
            String id,
            String folder,
            List<String> command,
            String category,
            String cores,
            String memory,
            int gpus,
            int nodes,
            String time,
            @Nullable String limit,
            int retries,
            List<String> after) {
        /** The task of the queue with these checked values, times in microseconds. */
        SingleTask single(Resources needed, long expected, long limited) {
            return new SingleTask(id, folder, category, needed, expected, limited, retries, after, command);
        }
    }

    /** Equal tasks that the program expects to submit. */
    record ExpectedGroup(int tasks, String time, int cores) {}

    static TaskRequest read(String line) {
        List<Task> tasks = new ArrayList<>();
        List<String> cancelled = new ArrayList<>();
        List<ExpectedGroup> expected = null;
        boolean end = false;
        try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), line)) {
            expect(in.nextToken(), JsonToken.START_OBJECT);
            while (in.nextToken() == JsonToken.PROPERTY_NAME) {
                String key = in.currentName();
                expect(in.nextToken(), JsonToken.START_ARRAY);
                if (key.equals("submit")) {
                    while (isObjectNext(in)) {
                        tasks.add(task(values(in, KEYS)));
                    }
                } else if (key.equals("cancel")) {
                    cancelled.addAll(strings(in));
                } else if (key.equals("expect")) {
                    expected = new ArrayList<>();
                    while (isObjectNext(in)) {
                        Map<String, List<String>> values = values(in, EXPECTED_KEYS);
                        ExpectedGroup category = new ExpectedGroup(
                                number(values, "tasks", 1), one(values, "time", "10m"), number(values, "cores", 1));
                        if (category.tasks < 1 || category.cores < 1) {
                            throw new InputException("expected tasks need 1 or more tasks and cores");
                        }
                        expected.add(category);
                    }
                } else if (key.equals("end")) {
                    end = strings(in).isEmpty();
                } else {
                    throw new InputException("unknown request '" + key + "'; write submit, cancel, expect or end");
                }
            }
            // Anything else would be ignored silently.
            expect(in.currentToken(), JsonToken.END_OBJECT);
            expect(in.nextToken(), null);
        } catch (JacksonException e) {
            throw new InputException("a line is not JSON: " + e.getOriginalMessage());
        }
        return new TaskRequest(tasks, cancelled, expected, end);
    }

    private static void expect(@Nullable JsonToken found, @Nullable JsonToken expected) {
        if (found != expected) {
            throw new InputException("a line is not a request; write {\"submit\": […]} or {\"cancel\": […]}");
        }
    }

    /** Whether an open array has another object; otherwise it ends here. */
    private static boolean isObjectNext(JsonParser in) {
        JsonToken token = in.nextToken();
        if (token != JsonToken.END_ARRAY) {
            expect(token, JsonToken.START_OBJECT);
        }
        return token == JsonToken.START_OBJECT;
    }

    /** The properties of an open object; a scalar is a list of one. */
    private static Map<String, List<String>> values(JsonParser in, List<String> keys) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        while (in.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = in.currentName();
            if (!keys.contains(key)) {
                throw new InputException(
                        "unknown key '" + key + "' in a task; possible keys: " + String.join(", ", keys));
            }
            JsonToken token = in.nextToken();
            if (token == JsonToken.START_ARRAY) {
                values.put(key, strings(in));
            } else if (token != JsonToken.VALUE_NULL) {
                values.put(key, List.of(scalar(in)));
            }
        }
        return values;
    }

    private static List<String> strings(JsonParser in) {
        List<String> strings = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            strings.add(scalar(in));
        }
        return strings;
    }

    private static String scalar(JsonParser in) {
        if (!in.currentToken().isScalarValue()) {
            throw new InputException("a line has an array or object in place of a text or number");
        }
        return in.getString();
    }

    private static Task task(Map<String, List<String>> values) {
        List<String> command = values.getOrDefault("command", List.of());
        if (!values.containsKey("id") || !values.containsKey("folder") || command.isEmpty()) {
            throw new InputException("a task needs id, folder and command");
        }
        return new Task(
                one(values, "id", ""),
                one(values, "folder", ""),
                command,
                one(values, "category", "task"),
                one(values, "cores", "1"),
                one(values, "memory", "0"),
                number(values, "gpus", 0),
                number(values, "nodes", 1),
                one(values, "time", "10m"),
                values.containsKey("limit") ? one(values, "limit", "") : null,
                number(values, "retries", 0),
                values.getOrDefault("after", List.of()));
    }

    private static String one(Map<String, List<String>> values, String key, String otherwise) {
        return values.getOrDefault(key, List.of(otherwise)).get(0);
    }

    private static int number(Map<String, List<String>> values, String key, int otherwise) {
        String text = one(values, key, String.valueOf(otherwise));
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new InputException(
                    "task '" + one(values, "id", "") + "': " + key + " is '" + text + "', not a number");
        }
    }
}
