package io.sheaf.formats.yaml;

import io.sheaf.formats.yaml.Node.Fields;
import io.sheaf.formats.yaml.Node.Items;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An entry of {@code in} or {@code out}: a file, or all files that some tasks write. */
sealed interface FileEntry {
    String NAME = "name";
    String SIZE = "size";
    String FROM = "from";
    String ONLY = "only";
    List<String> KEYS = List.of(NAME, SIZE, FROM, ONLY);

    /** A file by name. */
    record One(Text name, @Nullable Text size) implements FileEntry {}

    /** The files that a task or a group writes, those alone that fit the pattern. */
    record From(Text tasks, @Nullable Text only) implements FileEntry {}

    /** The entries of a node: one, or a list of them. */
    static List<FileEntry> list(Node node, String what) {
        List<Node> nodes = node instanceof Items items ? items.items() : List.of(node);
        List<FileEntry> entries = new ArrayList<>(nodes.size());
        for (Node one : nodes) {
            entries.add(one instanceof Fields fields ? of(fields, what) : new One(file(one, what), null));
        }
        return List.copyOf(entries);
    }

    private static FileEntry of(Fields fields, String what) {
        Shape.fields(fields, what);
        Text[] values = new Text[KEYS.size()];
        for (int i = 0; i < fields.size(); i++) {
            Text key = fields.keys().get(i);
            int known = KEYS.indexOf(key.text());
            if (known < 0) {
                throw Shape.unknownKey(key, "'" + what + "'", KEYS);
            }
            values[known] = Shape.text(fields.values().get(i), key.text());
        }
        Text name = values[0];
        Text size = values[1];
        Text from = values[2];
        Text only = values[3];
        if (name != null && from == null && only == null) {
            if (size != null) {
                TaskSetting.MEMORY.check(size);
            }
            return new One(file(name, NAME), size);
        }
        if (from != null && name == null && size == null) {
            if (what.equals(TaskSpec.OUT)) {
                throw new InputException("'from' belongs to 'in'; a task's own files are named", from.place());
            }
            return new From(from, only);
        }
        throw new InputException(
                "a file is {name: …, size: …}; the files that tasks write are {from: …, only: …}", fields.place());
    }

    private static Text file(Node node, String what) {
        Text text = Shape.text(node, what);
        if (text.text().isEmpty()) {
            throw new InputException("a file name is empty; give one", node.place());
        }
        return text;
    }
}
