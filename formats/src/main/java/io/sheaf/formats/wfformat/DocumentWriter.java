package io.sheaf.formats.wfformat;

import io.sheaf.formats.wfformat.MeasuredRun.MeasuredTask;
import io.sheaf.text.DecimalText;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Retry;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.Writer;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;

/**
 * Writes a workflow as WfFormat 1.5.
 *
 * <p>Output is deterministic ASCII. Only tasks with a known run time have an entry in {@code execution}, where the schema requires a run
 * time. Of a workflow that was not executed, the required date is the epoch and the required makespan is the critical path.
 */
final class DocumentWriter {
    private static final String NO_DATE = "1970-01-01T00:00:00Z";
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build();

    /** Configures indentation, the same on every system. */
    private static final class Indented extends ObjectWriteContext.Base {
        @Override
        public PrettyPrinter getPrettyPrinter() {
            return new DefaultPrettyPrinter(Separators.createDefaultInstance()
                            .withObjectNameValueSpacing(Separators.Spacing.AFTER)
                            .withArrayEmptySeparator("")
                            .withObjectEmptySeparator(""))
                    .withObjectIndenter(new DefaultIndenter("  ", "\n"));
        }

        @Override
        public boolean hasPrettyPrinter() {
            return true;
        }
    }

    private final Workflow workflow;
    private final Writer out;
    private final JsonGenerator json;
    /** Null if the workflow was not executed. */
    private final @Nullable MeasuredRun measured;
    /** Whether Sheaf's extra object of the task being written has been started. */
    private boolean extraOpen;

    DocumentWriter(Workflow workflow, @Nullable MeasuredRun measured, Writer out) {
        this.workflow = workflow;
        this.measured = measured;
        this.out = out;
        json = JSON.createGenerator(new Indented(), out);
    }

    void write() throws IOException {
        try (json) {
            document();
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
        out.write('\n');
    }

    private void document() {
        json.writeStartObject();
        // The schema requires a name; an empty true name is in the extra object.
        json.writeStringProperty("name", workflow.name().isEmpty() ? "workflow" : workflow.name());
        json.writeStringProperty("schemaVersion", "1.5");
        if (measured != null && !measured.version().isEmpty()) {
            json.writeObjectPropertyStart("runtimeSystem");
            json.writeStringProperty("name", "Sheaf");
            json.writeStringProperty("version", measured.version());
            json.writeEndObject();
        }
        json.writeObjectPropertyStart("workflow");
        specification();
        execution();
        json.writeEndObject();
        json.writeEndObject();
    }

    private void specification() {
        json.writeObjectPropertyStart("specification");
        json.writeArrayPropertyStart("tasks");
        for (int task = 0; task < workflow.size(); task++) {
            specification(task);
        }
        json.writeEndArray();
        json.writeArrayPropertyStart("files");
        files(true);
        json.writeEndArray();
        extra();
        json.writeEndObject();
    }

    /** The files whose size is known, or those whose size is not. */
    private void files(boolean known) {
        for (int file = 0; file < workflow.files(); file++) {
            if (workflow.fileSize(file) != Workflow.UNKNOWN == known) {
                String name = workflow.fileName(file);
                String id = Identifiers.ofFile(name);
                json.writeStartObject();
                json.writeStringProperty("id", id);
                if (known) {
                    json.writeNumberProperty("sizeInBytes", workflow.fileSize(file));
                }
                if (!id.equals(name)) {
                    json.writeObjectPropertyStart(SheafKeys.KEY);
                    json.writeStringProperty(SheafKeys.NAME, name);
                    json.writeEndObject();
                }
                json.writeEndObject();
            }
        }
    }

    private void extra() {
        boolean named = !workflow.name().isEmpty();
        boolean sized =
                IntStream.range(0, workflow.files()).allMatch(file -> workflow.fileSize(file) != Workflow.UNKNOWN);
        boolean plain = !needsCategories();
        if (named && sized && plain) {
            return;
        }
        json.writeObjectPropertyStart(SheafKeys.KEY);
        if (!named) {
            json.writeStringProperty(SheafKeys.NAME, "");
        }
        if (!plain) {
            json.writeArrayPropertyStart(SheafKeys.CATEGORIES);
            workflow.categories().forEach(this::category);
            json.writeEndArray();
        }
        if (!sized) {
            json.writeArrayPropertyStart(SheafKeys.FILES);
            files(false);
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    private boolean needsCategories() {
        List<Category> all = workflow.categories();
        boolean[] used = new boolean[all.size()];
        IntStream.range(0, workflow.size()).forEach(task -> used[workflow.categoryNumber(task)] = true);
        return IntStream.range(0, used.length).anyMatch(i -> {
            Category category = all.get(i);
            boolean described = !category.setup().isEmpty() || category.container() != null;
            // Every workflow has the category without a name.
            return described || (!used[i] && !category.name().isEmpty());
        });
    }

    private void category(Category category) {
        json.writeStartObject();
        json.writeStringProperty(SheafKeys.NAME, category.name());
        if (!category.setup().isEmpty()) {
            texts(SheafKeys.SETUP, category.setup().stream());
        }
        if (category.container() != null) {
            json.writeStringProperty(SheafKeys.CONTAINER, category.container());
        }
        json.writeEndObject();
    }

    private void execution() {
        int task = firstExecuted(0);
        if (task == workflow.size()) {
            // The schema allows no empty list of executions, but it allows to have none.
            return;
        }
        json.writeObjectPropertyStart("execution");
        seconds(
                "makespanInSeconds",
                measured == null ? workflow.criticalPathMicros() : measured.makespanMillis() * 1000);
        json.writeStringProperty(
                "executedAt",
                measured == null
                        ? NO_DATE
                        : Instant.ofEpochMilli(measured.startMillis()).toString());
        json.writeArrayPropertyStart("tasks");
        for (; task < workflow.size(); task = firstExecuted(task + 1)) {
            execution(task);
        }
        json.writeEndArray();
        machines();
        json.writeEndObject();
    }

    private void machines() {
        Set<String> names = new TreeSet<>();
        for (int task = 0; measured != null && task < workflow.size(); task++) {
            names.addAll(measured.tasks().apply(task).machines());
        }
        if (!names.isEmpty()) {
            json.writeArrayPropertyStart("machines");
            for (String each : names) {
                json.writeStartObject();
                json.writeStringProperty("nodeName", each);
                json.writeEndObject();
            }
            json.writeEndArray();
        }
    }

    private int firstExecuted(int from) {
        int task = from;
        while (task < workflow.size() && !isExecuted(task)) {
            task++;
        }
        return task;
    }

    private void specification(int task) {
        String id = workflow.id(task);
        String category = workflow.category(task).name();
        String written = Identifiers.ofTask(id);
        String name = category.isEmpty() ? written : category;
        json.writeStartObject();
        json.writeStringProperty("name", name);
        json.writeStringProperty("id", written);
        ids("parents", workflow.parents(task), i -> Identifiers.ofTask(workflow.id(workflow.parent(task, i))));
        ids("children", workflow.children(task), i -> Identifiers.ofTask(workflow.id(workflow.child(task, i))));
        ids("inputFiles", workflow.inputs(task), i -> Identifiers.ofFile(workflow.fileName(workflow.input(task, i))));
        ids(
                "outputFiles",
                workflow.outputs(task),
                i -> Identifiers.ofFile(workflow.fileName(workflow.output(task, i))));
        if (!written.equals(id)) {
            taskExtra().writeStringProperty(SheafKeys.ID, id);
        }
        // A name equal to the id carries no category.
        if (!category.equals(name) || name.equals(id) || name.equals(written)) {
            taskExtra().writeStringProperty(SheafKeys.CATEGORY, category);
        }
        extras(task);
        if (extraOpen) {
            json.writeEndObject();
            extraOpen = false;
        }
        json.writeEndObject();
    }

    /** Whether its run time belongs into the list of executions: a known one and, in the record of a run, a measured one. */
    private boolean isExecuted(int task) {
        return workflow.timeMicros(task) != Workflow.UNKNOWN
                && (measured == null || !measured.tasks().apply(task).equals(MeasuredTask.NONE));
    }

    private void execution(int task) {
        json.writeStartObject();
        json.writeStringProperty("id", Identifiers.ofTask(workflow.id(task)));
        seconds("runtimeInSeconds", workflow.timeMicros(task));
        performance(task, measured == null);
        if (measured != null) {
            use(measured.tasks().apply(task));
        }
        json.writeEndObject();
    }

    private void use(MeasuredTask used) {
        number("memoryInBytes", used.peakMemoryBytes());
        if (used.averageCpuPercent() >= 0) {
            json.writeName("avgCPU");
            json.writeNumber(DecimalText.fixed(used.averageCpuPercent(), 1));
        }
        number("readBytes", used.readBytes());
        number("writtenBytes", used.writtenBytes());
        if (used.startMillis() != MeasuredTask.UNKNOWN) {
            json.writeStringProperty(
                    "executedAt", Instant.ofEpochMilli(used.startMillis()).toString());
        }
        if (!used.machines().isEmpty()) {
            texts("machines", used.machines().stream());
        }
    }

    private void seconds(String key, long micros) {
        json.writeName(key);
        json.writeNumber(TimeText.seconds(micros));
    }

    private void number(String key, long value) {
        if (value != MeasuredTask.UNKNOWN) {
            json.writeNumberProperty(key, value);
        }
    }

    private void ids(String key, int count, IntFunction<String> id) {
        texts(key, IntStream.range(0, count).mapToObj(id));
    }

    private void texts(String key, Stream<String> values) {
        json.writeArrayPropertyStart(key);
        values.forEach(json::writeString);
        json.writeEndArray();
    }

    private JsonGenerator taskExtra() {
        if (!extraOpen) {
            json.writeObjectPropertyStart(SheafKeys.KEY);
            extraOpen = true;
        }
        return json;
    }

    /** Properties without a standard key; all properties of a task without an execution. */
    private void extras(int task) {
        if (!isExecuted(task)) {
            if (workflow.timeMicros(task) != Workflow.UNKNOWN) {
                taskExtra();
                seconds("runtimeInSeconds", workflow.timeMicros(task));
            }
            if (hasPerformance(task)) {
                taskExtra();
                performance(task, true);
            }
        } else if (measured != null) {
            taskExtra()
                    .writeNumberProperty(
                            "memoryInBytes", workflow.resources(task).memory());
        }
        if (workflow.limitMicros(task) != Workflow.UNKNOWN) {
            taskExtra();
            seconds(SheafKeys.LIMIT, workflow.limitMicros(task));
        }
        Resources needed = workflow.resources(task);
        if (needed.isShare()) {
            taskExtra().writeName(SheafKeys.SHARE);
            json.writeNumber(needed.coresText());
        }
        if (needed.gpus() != 0) {
            taskExtra().writeNumberProperty(SheafKeys.GPUS, needed.gpus());
        }
        if (needed.nodes() != 1) {
            taskExtra().writeNumberProperty(SheafKeys.NODES, needed.nodes());
        }
        if (needed.named().size() > 0) {
            taskExtra().writeObjectPropertyStart(SheafKeys.RESOURCES);
            needed.named().map().forEach(json::writeNumberProperty);
            json.writeEndObject();
        }
        if (!workflow.retry(task).equals(Retry.DEFAULT)) {
            taskExtra()
                    .writeStringProperty(SheafKeys.RETRY, workflow.retry(task).text());
        }
        if (workflow.retries(task) != 0) {
            taskExtra().writeNumberProperty(SheafKeys.RETRIES, workflow.retries(task));
        }
        Command command = workflow.command(task);
        if (command != null) {
            commandExtras(command);
        }
        Scaling scaling = workflow.scaling(task);
        if (scaling != null) {
            scaling(scaling);
        }
    }

    private void commandExtras(Command command) {
        if (CommandMapping.written(command) == null) {
            taskExtra();
            texts(SheafKeys.ARGV, command.argv().stream());
        }
        if (!command.environment().isEmpty()) {
            taskExtra().writeObjectPropertyStart(SheafKeys.ENVIRONMENT);
            command.environment().forEach(json::writeStringProperty);
            json.writeEndObject();
        }
    }

    private void scaling(Scaling scaling) {
        taskExtra().writeArrayPropertyStart(SheafKeys.SCALING);
        for (int i = 0; i < scaling.size(); i++) {
            json.writeStartObject();
            json.writeNumberProperty("coreCount", scaling.cores(i));
            seconds("runtimeInSeconds", scaling.micros(i));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private boolean hasPerformance(int task) {
        Resources needed = workflow.resources(task);
        return writtenCommand(task) != null
                || needed.cores() != 1
                || needed.memory() != 0
                || workflow.priority(task) != 0;
    }

    private void performance(int task, boolean withMemory) {
        List<String> command = writtenCommand(task);
        if (command != null) {
            json.writeObjectPropertyStart("command");
            json.writeStringProperty("program", command.get(0));
            texts("arguments", command.stream().skip(1));
            json.writeEndObject();
        }
        Resources needed = workflow.resources(task);
        if (needed.cores() != 1) {
            json.writeNumberProperty("coreCount", needed.cores());
        }
        if (needed.memory() != 0 && withMemory) {
            json.writeNumberProperty("memoryInBytes", needed.memory());
        }
        if (workflow.priority(task) != 0) {
            json.writeNumberProperty("priority", workflow.priority(task));
        }
    }

    private @Nullable List<String> writtenCommand(int task) {
        Command command = workflow.command(task);
        return command == null ? null : CommandMapping.written(command);
    }
}
