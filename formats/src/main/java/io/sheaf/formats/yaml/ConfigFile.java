package io.sheaf.formats.yaml;

import io.sheaf.formats.Source;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads a configuration file: a YAML map from names to single values, or to maps; {@code a: {b: c}} is {@code a-b: c}. An empty file has no entries. */
public final class ConfigFile {
    private static final long MAX_BYTES = 1 << 20;

    /** A name with its value, at a place. */
    public record ConfigEntry(String name, String value, long place) {
        public long line() {
            return Place.line(place);
        }
    }

    private ConfigFile() {}

    public static List<ConfigEntry> read(Path file) {
        return read(file, Set.of());
    }

    /**
     * Reads a file in which some names have maps.
     *
     * @param nested such names; an entry in one is named {@code name.key.key}, and an element of a list is an entry of its own
     */
    public static List<ConfigEntry> read(Path file, Set<String> nested) {
        try {
            if (file.toFile().length() > MAX_BYTES) {
                throw new InputException("is too large for a configuration file (1 MiB)");
            }
            List<ConfigEntry> entries = new ArrayList<>();
            YamlTree.readIfAny(Source.of(file)).ifPresent(fields -> add(fields, "", nested, entries));
            return entries;
        } catch (InputException e) {
            throw e.in(file.toString());
        }
    }

    private static void add(Node.Mapping fields, String group, Set<String> nested, List<ConfigEntry> entries) {
        fields.forEach((name, node) -> {
            if (group.isEmpty() && nested.contains(name.text())) {
                flatten(name.text(), node, entries);
            } else if (group.isEmpty() && node instanceof Node.Mapping inner) {
                add(inner, name.text() + "-", nested, entries);
            } else if (node instanceof Text value) {
                entries.add(new ConfigEntry(group + name.text(), value.text(), name.place()));
            } else {
                throw new InputException("a setting has one plain value: 'name: value'", name.place());
            }
        });
    }

    private static void flatten(String name, Node node, List<ConfigEntry> entries) {
        if (node instanceof Text text) {
            entries.add(new ConfigEntry(name, text.text(), text.place()));
        } else if (node instanceof Node.Items list) {
            list.items().forEach(each -> flatten(name, each, entries));
        } else if (node instanceof Node.Mapping fields) {
            fields.forEach((key, value) -> flatten(name + "." + key.text(), value, entries));
        }
    }
}
