package io.sheaf.formats.wfformat;

import io.sheaf.text.TimeText;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.Writer;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
    private final TaskWriter tasks;
    /** Null if the workflow was not executed. */
    private final @Nullable MeasuredRun measured;

    DocumentWriter(Workflow workflow, @Nullable MeasuredRun measured, Writer out) {
        this.workflow = workflow;
        this.measured = measured;
        this.out = out;
        json = JSON.createGenerator(new Indented(), out);
        tasks = new TaskWriter(workflow, measured == null ? null : measured.tasks(), json);
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
            tasks.specification(task);
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
        boolean sized = true;
        for (int file = 0; file < workflow.files(); file++) {
            sized &= workflow.fileSize(file) != Workflow.UNKNOWN;
        }
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
        for (int task = 0; task < workflow.size(); task++) {
            used[workflow.categoryNumber(task)] = true;
        }
        for (int i = 0; i < used.length; i++) {
            Category category = all.get(i);
            boolean described = !category.setup().isEmpty() || category.container() != null;
            // Every workflow has the category without a name.
            if (described || (!used[i] && !category.name().isEmpty())) {
                return true;
            }
        }
        return false;
    }

    private void category(Category category) {
        json.writeStartObject();
        json.writeStringProperty(SheafKeys.NAME, category.name());
        if (!category.setup().isEmpty()) {
            json.writeArrayPropertyStart(SheafKeys.SETUP);
            category.setup().forEach(json::writeString);
            json.writeEndArray();
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
        json.writeName("makespanInSeconds");
        json.writeNumber(
                TimeText.seconds(measured == null ? workflow.criticalPathMicros() : measured.makespanMillis() * 1000));
        json.writeStringProperty(
                "executedAt",
                measured == null
                        ? NO_DATE
                        : Instant.ofEpochMilli(measured.startMillis()).toString());
        json.writeArrayPropertyStart("tasks");
        for (; task < workflow.size(); task = firstExecuted(task + 1)) {
            tasks.execution(task);
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
        while (task < workflow.size() && !tasks.isExecuted(task)) {
            task++;
        }
        return task;
    }
}
