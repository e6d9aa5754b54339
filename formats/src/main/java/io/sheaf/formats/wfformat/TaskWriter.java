package io.sheaf.formats.wfformat;

import io.sheaf.text.DecimalText;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Retry;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.Workflow;
import java.time.Instant;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Writes one task: its place in the specification, and its entry among the executions. */
final class TaskWriter {
    private final Workflow workflow;
    /** Null if the workflow was not executed. */
    private final @Nullable IntFunction<MeasuredTask> measured;

    private final JsonGenerator json;
    /** Whether Sheaf's extra object of the task being written has been started. */
    private boolean extraOpen;

    TaskWriter(Workflow workflow, @Nullable IntFunction<MeasuredTask> measured, JsonGenerator json) {
        this.workflow = workflow;
        this.measured = measured;
        this.json = json;
    }

    void specification(int task) {
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
            extra().writeStringProperty(SheafKeys.ID, id);
        }
        // A name equal to the id carries no category.
        if (!category.equals(name) || name.equals(id) || name.equals(written)) {
            extra().writeStringProperty(SheafKeys.CATEGORY, category);
        }
        extras(task);
        if (extraOpen) {
            json.writeEndObject();
            extraOpen = false;
        }
        json.writeEndObject();
    }

    /** Whether its run time belongs into the list of executions: a known one and, in the record of a run, a measured one. */
    boolean isExecuted(int task) {
        return workflow.timeMicros(task) != Workflow.UNKNOWN
                && (measured == null || !measured.apply(task).equals(MeasuredTask.NONE));
    }

    void execution(int task) {
        json.writeStartObject();
        json.writeStringProperty("id", Identifiers.ofTask(workflow.id(task)));
        json.writeName("runtimeInSeconds");
        json.writeNumber(TimeText.seconds(workflow.timeMicros(task)));
        performance(task, json, measured == null);
        if (measured != null) {
            use(measured.apply(task));
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
            json.writeArrayPropertyStart("machines");
            used.machines().forEach(json::writeString);
            json.writeEndArray();
        }
    }

    private void number(String key, long value) {
        if (value != MeasuredTask.UNKNOWN) {
            json.writeNumberProperty(key, value);
        }
    }

    private void ids(String key, int count, IntFunction<String> id) {
        json.writeArrayPropertyStart(key);
        for (int i = 0; i < count; i++) {
            json.writeString(id.apply(i));
        }
        json.writeEndArray();
    }

    private JsonGenerator extra() {
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
                extra().writeName("runtimeInSeconds");
                json.writeNumber(TimeText.seconds(workflow.timeMicros(task)));
            }
            if (hasPerformance(task)) {
                performance(task, extra(), true);
            }
        } else if (measured != null) {
            extra().writeNumberProperty(
                            "memoryInBytes", workflow.resources(task).memory());
        }
        if (workflow.limitMicros(task) != Workflow.UNKNOWN) {
            extra().writeName(SheafKeys.LIMIT);
            json.writeNumber(TimeText.seconds(workflow.limitMicros(task)));
        }
        Resources needed = workflow.resources(task);
        if (needed.isShare()) {
            extra().writeName(SheafKeys.SHARE);
            json.writeNumber(needed.coresText());
        }
        if (needed.gpus() != 0) {
            extra().writeNumberProperty(SheafKeys.GPUS, needed.gpus());
        }
        if (needed.nodes() != 1) {
            extra().writeNumberProperty(SheafKeys.NODES, needed.nodes());
        }
        if (needed.named().size() > 0) {
            extra().writeObjectPropertyStart(SheafKeys.RESOURCES);
            needed.named().map().forEach(json::writeNumberProperty);
            json.writeEndObject();
        }
        if (!workflow.retry(task).equals(Retry.DEFAULT)) {
            extra().writeStringProperty(SheafKeys.RETRY, workflow.retry(task).text());
        }
        if (workflow.retries(task) != 0) {
            extra().writeNumberProperty(SheafKeys.RETRIES, workflow.retries(task));
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
            extra().writeArrayPropertyStart(SheafKeys.ARGV);
            command.argv().forEach(json::writeString);
            json.writeEndArray();
        }
        if (!command.environment().isEmpty()) {
            extra().writeObjectPropertyStart(SheafKeys.ENVIRONMENT);
            command.environment().forEach(json::writeStringProperty);
            json.writeEndObject();
        }
    }

    private void scaling(Scaling scaling) {
        extra().writeArrayPropertyStart(SheafKeys.SCALING);
        for (int i = 0; i < scaling.size(); i++) {
            json.writeStartObject();
            json.writeNumberProperty("coreCount", scaling.cores(i));
            json.writeName("runtimeInSeconds");
            json.writeNumber(TimeText.seconds(scaling.micros(i)));
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

    private void performance(int task, JsonGenerator into, boolean withMemory) {
        List<String> command = writtenCommand(task);
        if (command != null) {
            into.writeObjectPropertyStart("command");
            into.writeStringProperty("program", command.get(0));
            into.writeArrayPropertyStart("arguments");
            command.stream().skip(1).forEach(into::writeString);
            into.writeEndArray();
            into.writeEndObject();
        }
        Resources needed = workflow.resources(task);
        if (needed.cores() != 1) {
            into.writeNumberProperty("coreCount", needed.cores());
        }
        if (needed.memory() != 0 && withMemory) {
            into.writeNumberProperty("memoryInBytes", needed.memory());
        }
        if (workflow.priority(task) != 0) {
            into.writeNumberProperty("priority", workflow.priority(task));
        }
    }

    private @Nullable List<String> writtenCommand(int task) {
        Command command = workflow.command(task);
        return command == null ? null : CommandMapping.written(command);
    }
}
