package io.sheaf.formats.yaml;

import io.sheaf.text.SizeText;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a workflow in compact YAML: settings shared by all tasks or by a category are written once, defaults are omitted, and so are
 * dependencies that follow from files.
 */
final class WorkflowText {
    private final Workflow workflow;
    private final CommonSettings common;
    /** For each file 1 + a task that writes it, or 0. */
    private final int[] writer;

    private final BitSet sizeWritten = new BitSet();
    private final boolean unnamedCategory;

    WorkflowText(Workflow workflow) {
        this.workflow = workflow;
        common = new CommonSettings(workflow);
        writer = new int[workflow.files()];
        boolean unnamed = false;
        for (int task = 0; task < workflow.size(); task++) {
            unnamed |= workflow.category(task).name().isEmpty();
            for (int i = 0; i < workflow.outputs(task); i++) {
                writer[workflow.output(task, i)] = task + 1;
            }
        }
        unnamedCategory = unnamed;
    }

    void write(Writer out) throws IOException {
        field(out, 0, Document.NAME, Scalar.text(Template.escape(workflow.name())));
        if (!workflow.fileEdges()) {
            field(out, 0, Document.EDGES, Document.EDGES_AFTER);
        }
        defaults(out);
        categories(out);
        out.write("\n" + Document.TASKS + ":");
        out.write(workflow.size() == 0 ? " {}\n" : "\n");
        for (int task = 0; task < workflow.size(); task++) {
            task(out, task);
        }
    }

    private void defaults(Writer out) throws IOException {
        Map<TaskSetting, String> all = common.ofAll();
        if (all.isEmpty() && !unnamedCategory) {
            return;
        }
        out.write("\n" + Document.DEFAULTS + ":\n");
        if (unnamedCategory) {
            field(out, 2, TaskSpec.CATEGORY, "\"\"");
        }
        fields(out, 2, all, Set.of());
    }

    private void categories(Writer out) throws IOException {
        boolean begun = false;
        List<Category> categories = workflow.categories();
        for (int number = 0; number < categories.size(); number++) {
            Map<TaskSetting, String> values = TaskText.settings(categories.get(number));
            values.putAll(common.ofCategory(number));
            if (values.isEmpty()) {
                continue;
            }
            if (!begun) {
                out.write("\n" + Document.CATEGORIES + ":\n");
                begun = true;
            }
            key(out, 2, categories.get(number).name());
            out.write("\n");
            fields(out, 4, values, Set.of());
        }
    }

    private void task(Writer out, int task) throws IOException {
        key(out, 2, workflow.id(task));
        String category = workflow.category(task).name();
        boolean named = unnamedCategory ? !category.isEmpty() : !category.equals(workflow.id(task));
        List<String> after = after(task);
        List<String> in = inputs(task);
        List<String> outs = outputs(task);
        Map<TaskSetting, String> values = TaskText.settings(workflow, task);
        Set<TaskSetting> elsewhere = new HashSet<>(common.ofAll().keySet());
        elsewhere.addAll(common.ofCategory(workflow.categoryNumber(task)).keySet());
        if (!named && after.isEmpty() && in.isEmpty() && outs.isEmpty() && elsewhere.containsAll(values.keySet())) {
            out.write(" {}\n");
            return;
        }
        out.write("\n");
        if (named) {
            field(out, 4, TaskSpec.CATEGORY, Scalar.text(Template.escape(category)));
        }
        list(out, TaskSpec.AFTER, after);
        list(out, TaskSpec.IN, in);
        list(out, TaskSpec.OUT, outs);
        fields(out, 4, values, elsewhere);
    }

    /** The parents that no file implies. */
    private List<String> after(int task) {
        BitSet implied = new BitSet();
        for (int i = 0; workflow.fileEdges() && i < workflow.inputs(task); i++) {
            int parent = writer[workflow.input(task, i)] - 1;
            if (parent >= 0) {
                implied.set(parent);
            }
        }
        return TaskText.texts(IntStream.range(0, workflow.parents(task))
                .map(i -> workflow.parent(task, i))
                .filter(parent -> !implied.get(parent))
                .mapToObj(workflow::id)
                .toList());
    }

    private List<String> inputs(int task) {
        // The size of a file is written with the task that produces it.
        return IntStream.range(0, workflow.inputs(task))
                .map(i -> workflow.input(task, i))
                .mapToObj(file -> entry(file, writer[file] == 0))
                .toList();
    }

    private List<String> outputs(int task) {
        return IntStream.range(0, workflow.outputs(task))
                .mapToObj(i -> entry(workflow.output(task, i), true))
                .toList();
    }

    private String entry(int file, boolean withSize) {
        String name = Scalar.inBrackets(Template.escape(workflow.fileName(file)));
        long size = workflow.fileSize(file);
        if (!withSize || size == Workflow.UNKNOWN || sizeWritten.get(file)) {
            String plain = workflow.fileName(file);
            return Directory.isFolder(plain)
                    ? "{dir: " + name + "}"
                    : FoundFiles.isPattern(plain) ? "{name: " + name + "}" : name;
        }
        sizeWritten.set(file);
        return "{name: " + name + ", size: " + SizeText.text(size) + "}";
    }

    private static void list(Writer out, String key, List<String> items) throws IOException {
        if (!items.isEmpty()) {
            field(out, 4, key, items.size() == 1 ? items.get(0) : Scalar.list(items));
        }
    }

    private static void fields(Writer out, int indent, Map<TaskSetting, String> values, Set<TaskSetting> except)
            throws IOException {
        // The script last: keys after a long one are easily overlooked.
        for (TaskSetting setting : TaskSetting.values()) {
            String value = values.get(setting);
            if (value != null && setting != TaskSetting.RUN && !except.contains(setting)) {
                field(out, indent, setting.key(), value);
            }
        }
        String run = values.get(TaskSetting.RUN);
        if (run != null && !except.contains(TaskSetting.RUN)) {
            field(out, indent, TaskSetting.RUN.key(), run);
        }
    }

    private static void key(Writer out, int indent, String name) throws IOException {
        String blanks = " ".repeat(indent);
        out.write(blanks + Scalar.key(Template.escape(name)).replace("\n", "\n" + blanks));
    }

    private static void field(Writer out, int indent, String key, String value) throws IOException {
        String[] lines = value.split("\n", -1);
        out.write(" ".repeat(indent) + key + ":" + (lines[0].isEmpty() ? "" : " ") + lines[0] + "\n");
        for (String line : Arrays.asList(lines).subList(1, lines.length)) {
            out.write(line.isEmpty() ? "\n" : " ".repeat(indent + 2) + line + "\n");
        }
    }

    /** Settings that all tasks, or all tasks of a category, share. */
    private static final class CommonSettings {
        private final Map<TaskSetting, String> all;
        private final List<Map<TaskSetting, String>> ofCategory = new ArrayList<>();

        CommonSettings(Workflow workflow) {
            CommonValues ofAll = new CommonValues();
            List<CommonValues> categories = new ArrayList<>();
            workflow.categories().forEach(category -> categories.add(new CommonValues()));
            for (int task = 0; task < workflow.size(); task++) {
                Map<TaskSetting, String> values = TaskText.settings(workflow, task);
                ofAll.add(values);
                categories.get(workflow.categoryNumber(task)).add(values);
            }
            boolean several =
                    categories.stream().filter(category -> category.tasks > 0).count() > 1;
            all = several ? ofAll.values() : Map.of();
            for (CommonValues category : categories) {
                Map<TaskSetting, String> values = category.values();
                values.keySet().removeAll(all.keySet());
                ofCategory.add(values);
            }
        }

        Map<TaskSetting, String> ofAll() {
            return all;
        }

        Map<TaskSetting, String> ofCategory(int number) {
            return ofCategory.get(number);
        }

        /** The values that several tasks share. */
        private static final class CommonValues {
            int tasks;
            private @Nullable Map<TaskSetting, String> values;

            void add(Map<TaskSetting, String> task) {
                tasks++;
                if (values == null) {
                    values = new EnumMap<TaskSetting, String>(TaskSetting.class);
                    values.putAll(task);
                } else {
                    values.entrySet().removeIf(entry -> !entry.getValue().equals(task.get(entry.getKey())));
                }
            }

            /** A value of a single task remains with the task. */
            Map<TaskSetting, String> values() {
                return values == null || tasks < 2 ? new EnumMap<>(TaskSetting.class) : values;
            }
        }
    }
}
