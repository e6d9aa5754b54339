package io.sheaf.formats.snakemake;

import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A workflow that Snakemake submits with {@code --immediate-submit}: all jobs at once, with the ids of their dependencies. A script records the jobs
 * in place of a batch system, and no job runs.
 */
public record DrySubmission(Path folder) {
    private static final String SCRIPT = "script";
    private static final String AFTER = "after";
    private static final long MINUTE_MICROS = 60_000_000;

    /** Makes a folder for each job, with its script and the ids before it, and prints the folder's name as the job's id. */
    private static final String NOTE = """
            #!/bin/sh
            # Notes a job of Snakemake: the ids of those before it, then its script.
            set -e
            folder=$1
            shift
            job=$(mktemp -d "$folder/jobXXXXXXXXXX")
            while [ $# -gt 1 ]; do echo "$1"; shift; done > "$job/after"
            cp "$1" "$job/script"
            basename "$job"
            """;

    private record DryJob(String id, JobProperties properties, List<String> after, Path script) {}

    /** The command that Snakemake is to submit with. */
    public String command() throws IOException {
        Path note = folder.resolve("note");
        Files.writeString(note, NOTE);
        Files.setPosixFilePermissions(note, PosixFilePermissions.fromString("rwx------"));
        return "'" + note + "' '" + folder + "' {dependencies}";
    }

    /**
     * The workflow that was handed over.
     *
     * @param scripts where the jobs' scripts are put, under the names of their tasks
     */
    public Workflow read(String name, Path scripts) throws IOException {
        List<DryJob> jobs = jobs();
        Files.createDirectories(scripts);
        WorkflowBuilder builder = new WorkflowBuilder(name).fileEdges(true);
        Map<String, String> tasks = new HashMap<>();
        for (DryJob job : jobs) {
            tasks.put(job.id(), builder.id(add(job, builder, scripts)));
        }
        for (DryJob job : jobs) {
            for (String before : job.after()) {
                builder.edge(tasks.getOrDefault(before, before), tasks.getOrDefault(job.id(), job.id()), Place.NONE);
            }
        }
        return builder.build();
    }

    private List<DryJob> jobs() throws IOException {
        List<DryJob> jobs = new ArrayList<>();
        try (Stream<Path> all = Files.list(folder)) {
            for (Path each : all.filter(Files::isDirectory).sorted().toList()) {
                Path script = each.resolve(SCRIPT);
                jobs.add(new DryJob(
                        each.getFileName().toString(),
                        JobProperties.of(Files.readString(script)),
                        Files.readAllLines(each.resolve(AFTER)),
                        script));
            }
        }
        // Folders are named at random; Snakemake's own numbers are the same every time.
        jobs.sort(
                Comparator.comparingInt((DryJob job) -> job.properties().jobId().length())
                        .thenComparing(job -> job.properties().jobId()));
        return jobs;
    }

    private static int add(DryJob job, WorkflowBuilder builder, Path scripts) throws IOException {
        JobProperties properties = job.properties();
        String id = properties.rule() + "-" + properties.jobId();
        int task = builder.task(id);
        Path script = scripts.resolve(id + ".sh").toAbsolutePath();
        Files.writeString(script, Files.readString(job.script()));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        builder.category(task, properties.rule())
                .command(task, Command.of(List.of(script.toString())))
                .resources(
                        task,
                        new Resources(
                                properties.threads(), Math.max(0, properties.memoryMegabytes()) * 1_000_000, 0, 1));
        if (properties.runtimeMinutes() > 0) {
            builder.time(task, properties.runtimeMinutes() * MINUTE_MICROS);
        }
        properties.inputs().forEach(file -> builder.input(task, builder.file(file, Workflow.UNKNOWN)));
        properties.outputs().forEach(file -> builder.output(task, builder.file(file, Workflow.UNKNOWN)));
        return task;
    }

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
                    .orElseThrow(
                            () -> new InputException("a script without '" + MARK.strip() + "' is not Snakemake's"));
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
}
