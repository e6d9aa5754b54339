package io.sheaf.formats.yaml;

import io.sheaf.formats.yaml.Node.Items;
import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An entry of {@code in} or {@code out}: a file or folder, files that fit a pattern, or all files that some tasks write. */
sealed interface FileEntry {
    String NAME = "name";
    String SIZE = "size";
    String FROM = "from";
    String ONLY = "only";
    String DIR = "dir";
    List<String> KEYS = List.of(NAME, SIZE, FROM, ONLY, DIR);

    /** The name by which {@code {in.NAME}} refers to it; empty if it has none. */
    String label();

    /**
     * A file by name.
     *
     * @param literal whether {@code *} and {@code ?} in the name are no wildcards
     * @param folder whether it is a folder with any files in it
     */
    record One(Text name, @Nullable Text size, boolean literal, boolean folder, String label) implements FileEntry {}

    /** The files that a task or a group writes, those alone that fit the pattern. */
    record From(Text tasks, @Nullable Text only, String label) implements FileEntry {}

    /** The entries of a node: one, a list of them, or a map of names to either. */
    static List<FileEntry> list(Node node, String noun) {
        List<FileEntry> entries = new ArrayList<>();
        if (node instanceof Mapping fields && isNamed(fields)) {
            NodeTypes.fields(fields, noun).forEach((label, files) -> {
                if (!Template.isName(label.text())) {
                    throw new InputException(
                            "'" + label.text() + "' cannot name files of '" + noun + "'; use letters, digits and _",
                            label.place());
                }
                add(files, noun, label.text(), entries);
            });
        } else {
            add(node, noun, "", entries);
        }
        return List.copyOf(entries);
    }

    /** Whether the keys are the author's names for files. */
    private static boolean isNamed(Mapping fields) {
        return fields.size() > 0
                && fields.keys().stream().noneMatch(key -> KEYS.contains(key.text()))
                && fields.values().stream().noneMatch(value -> value instanceof Text text && text.isNothing());
    }

    private static void add(Node node, String noun, String label, List<FileEntry> into) {
        List<Node> nodes = node instanceof Items items ? items.items() : List.of(node);
        for (Node one : nodes) {
            into.add(
                    one instanceof Mapping fields
                            ? of(fields, noun, label)
                            : new One(file(one, noun), null, false, false, label));
        }
    }

    private static FileEntry of(Mapping fields, String noun, String label) {
        Text[] values = new Text[KEYS.size()];
        NodeTypes.fields(fields, noun).forEach((key, value) -> {
            int known = KEYS.indexOf(key.text());
            if (known < 0) {
                throw NodeTypes.unknownKey(key, "'" + noun + "'", KEYS);
            }
            values[known] = NodeTypes.text(value, key.text());
        });
        Text name = values[0];
        Text size = values[1];
        Text from = values[2];
        Text only = values[3];
        if (fields.size() == 1 && values[4] != null) {
            return new One(file(values[4], DIR), null, true, true, label);
        }
        if (name != null && from == null && only == null) {
            if (size != null) {
                TaskSetting.MEMORY.check(size);
            }
            return new One(file(name, NAME), size, true, false, label);
        }
        if (from != null && name == null && size == null) {
            if (noun.equals(TaskSpec.OUT)) {
                throw new InputException("'from' belongs to 'in'; a task's own files are named", from.place());
            }
            return new From(from, only, label);
        }
        throw new InputException(
                "a file is {name: …, size: …}, a folder {dir: …}; the files that tasks write are {from: …, only: …}",
                fields.place());
    }

    private static Text file(Node node, String noun) {
        Text text = NodeTypes.text(node, noun);
        if (text.text().isEmpty()) {
            throw new InputException("a file name is empty; give one", node.place());
        }
        return text;
    }
}
