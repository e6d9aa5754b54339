package io.sheaf.formats.yaml;

import io.sheaf.formats.Source;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads a configuration file: a YAML map from names to single values; {@code a: {b: c}} is {@code a-b: c}. An empty file has no entries. */
public final class ConfigFile {
    private static final long MOST_BYTES = 1 << 20;

    /** A name with its value, at a place. */
    public record Entry(String name, String value, long place) {
        public long line() {
            return Place.line(place);
        }
    }

    private ConfigFile() {}

    public static List<Entry> read(Path file) {
        try {
            if (file.toFile().length() > MOST_BYTES) {
                throw new InputException("is too large for a configuration file (1 MiB)");
            }
            return YamlTree.readIfAny(Source.of(file)).map(ConfigFile::entries).orElse(List.of());
        } catch (InputException e) {
            throw e.in(file.toString());
        }
    }

    private static List<Entry> entries(Node.Fields fields) {
        List<Entry> entries = new ArrayList<>();
        add(fields, "", entries);
        return entries;
    }

    private static void add(Node.Fields fields, String group, List<Entry> entries) {
        for (int i = 0; i < fields.size(); i++) {
            Text name = fields.keys().get(i);
            if (fields.values().get(i) instanceof Node.Fields inner && group.isEmpty()) {
                add(inner, name.text() + "-", entries);
            } else if (fields.values().get(i) instanceof Text value) {
                entries.add(new Entry(group + name.text(), value.text(), name.place()));
            } else {
                throw new InputException("a setting has one plain value: 'name: value'", name.place());
            }
        }
    }
}
