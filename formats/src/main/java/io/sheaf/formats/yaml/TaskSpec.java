package io.sheaf.formats.yaml;

import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.InputException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One entry of {@code tasks} as written: a task, or with {@code foreach} a group of them. */
final class TaskSpec {
    static final String ID = "id";
    static final String FOREACH = "foreach";
    static final String CATEGORY = "category";
    static final String AFTER = "after";
    static final String IN = "in";
    static final String OUT = "out";
    static final String USES = "uses";

    /** All keys of a task, in the order in which they are best written. */
    static final List<String> KEYS = Stream.concat(
                    Stream.of(FOREACH, ID, CATEGORY, AFTER, IN, OUT, USES), TaskSetting.KEYS.stream())
            .toList();

    final Text key;
    final TaskSettings settings = new TaskSettings();

    @Nullable
    Text id;

    @Nullable
    Text category;

    @Nullable
    Node foreachNode;

    List<Text> after = List.of();
    List<FileEntry> in = List.of();
    List<FileEntry> out = List.of();
    /** Files that the task reads besides {@code in}, such as scripts. */
    List<FileEntry> uses = List.of();

    // Found while the tasks are declared.
    String name = "";

    @Nullable
    Foreach foreach;

    int first;
    int count;

    private TaskSpec(Text key) {
        this.key = key;
    }

    static TaskSpec of(Text key, Node node) {
        TaskSpec spec = new TaskSpec(key);
        if (node instanceof Text text && text.isNothing()) {
            return spec;
        }
        NodeTypes.fields(node, "task '" + key.text() + "'").forEach(spec::put);
        if (spec.id != null && spec.foreachNode == null) {
            throw new InputException(
                    "'id' is for the tasks of a foreach; this one is called by its key", spec.id.place());
        }
        if (spec.category != null) {
            spec.refuseOwn(TaskSetting.SETUP, spec.category);
            spec.refuseOwn(TaskSetting.CONTAINER, spec.category);
            spec.refuseOwn(TaskSetting.CONDA, spec.category);
        }
        return spec;
    }

    private void put(Text field, Node value) {
        if (putSetting(field, value)) {
            return;
        }
        switch (field.text()) {
            case FOREACH -> foreachNode = value;
            case ID -> id = NodeTypes.text(value, ID);
            case CATEGORY -> category = NodeTypes.text(value, CATEGORY);
            case AFTER -> after = List.copyOf(NodeTypes.texts(value, AFTER));
            case IN -> in = FileEntry.list(value, IN);
            case OUT -> out = FileEntry.list(value, OUT);
            case USES -> uses = FileEntry.list(value, USES);
            default -> throw NodeTypes.unknownKey(field, "task '" + key.text() + "'", KEYS);
        }
    }

    /** A wrong time is reported with its task, as one found later is. */
    private boolean putSetting(Text field, Node value) {
        try {
            return settings.put(field, value);
        } catch (InputException e) {
            TaskSetting setting = TaskSetting.find(field.text());
            if (value instanceof Text && (setting == TaskSetting.TIME || setting == TaskSetting.LIMIT)) {
                throw new InputException("task '" + key.text() + "': " + e.problem(), e.place());
            }
            throw e;
        }
    }

    /** Setup and container are a category's: in a task they describe the category that is called as the task is. */
    private void refuseOwn(TaskSetting setting, Text named) {
        Node value = settings.get(setting);
        if (value != null) {
            throw new InputException(
                    "'" + setting.key() + "' is the same for a whole category; put it under categories, '"
                            + named.text() + "'",
                    value.place());
        }
    }
}
