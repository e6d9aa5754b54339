package io.sheaf.formats.snakemake;

import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What Snakemake writes about a job into its script, in the line that begins with {@code # properties = }.
 *
 * @param runtimeMinutes the resource of this name; −1 if it is not a number
 * @param memoryMegabytes the same of mem_mb
 */
record JobProperties(
        String rule,
        String jobId,
        List<String> inputs,
        List<String> outputs,
        int threads,
        long runtimeMinutes,
        long memoryMegabytes) {
    private static final String MARK = "# properties = ";
    private static final JsonFactory JSON = new JsonFactory();

    static JobProperties of(String script) {
        String line = script.lines()
                .filter(each -> each.startsWith(MARK))
                .findFirst()
                .orElseThrow(() -> new InputException("a script without '" + MARK.strip() + "' is not Snakemake's"));
        try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), line.substring(MARK.length()))) {
            return read(in);
        } catch (JacksonException e) {
            throw new InputException("the properties of a job are not JSON: " + e.getOriginalMessage());
        }
    }

    private static JobProperties read(JsonParser in) {
        String rule = "";
        String jobId = "";
        List<String> inputs = List.of();
        List<String> outputs = List.of();
        int threads = 1;
        long[] resources = {-1, -1};
        in.nextToken();
        while (in.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = in.currentName();
            JsonToken value = in.nextToken();
            switch (key) {
                // A group of jobs has a name of its own, and no rule.
                case "rule", "groupid" -> rule = in.getString();
                case "jobid" -> jobId = in.getString();
                case "input" -> inputs = texts(in);
                case "output" -> outputs = texts(in);
                case "threads" -> threads = Math.max(1, in.getIntValue());
                case "resources" -> resources = resources(in);
                default -> {
                    if (value.isStructStart()) {
                        in.skipChildren();
                    }
                }
            }
        }
        return new JobProperties(rule, jobId, inputs, outputs, threads, resources[0], resources[1]);
    }

    private static List<String> texts(JsonParser in) {
        List<String> texts = new ArrayList<>();
        while (in.nextToken() == JsonToken.VALUE_STRING) {
            texts.add(in.getString());
        }
        return texts;
    }

    /** Values unknown before the job runs are strings. */
    private static long[] resources(JsonParser in) {
        long[] found = {-1, -1};
        while (in.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = in.currentName();
            JsonToken value = in.nextToken();
            if (value.isNumeric() && key.equals("runtime")) {
                found[0] = (long) Math.ceil(in.getDoubleValue());
            } else if (value.isNumeric() && key.equals("mem_mb")) {
                found[1] = (long) Math.ceil(in.getDoubleValue());
            } else if (value.isStructStart()) {
                in.skipChildren();
            }
        }
        return found;
    }
}
