package io.sheaf.formats.yaml;

import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** Reads a configuration file: a YAML mapping from names to single values. */
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
            if (Files.size(file) > MOST_BYTES) {
                throw new InputException("is too large for a configuration file (1 MiB)").in(file.toString());
            }
            return entries(Files.readString(file));
        } catch (InputException e) {
            throw e.in(file.toString());
        } catch (MarkedYamlEngineException e) {
            throw new InputException(String.valueOf(e.getProblem()), place(e.getProblemMark())).in(file.toString());
        } catch (YamlEngineException e) {
            throw new InputException(String.valueOf(e.getMessage())).in(file.toString());
        } catch (CharacterCodingException e) {
            throw new InputException("is not UTF-8; save it in that encoding").in(file.toString());
        } catch (IOException e) {
            throw new InputException("cannot be read: " + e.getMessage()).in(file.toString());
        }
    }

    private static List<Entry> entries(String text) {
        Optional<Node> root =
                new Compose(LoadSettings.builder().setLabel("configuration").build()).composeString(text);
        List<Entry> entries = new ArrayList<>();
        if (root.isEmpty()) {
            return entries;
        }
        if (!(root.get() instanceof MappingNode mapping)) {
            throw new InputException(
                    "a configuration file holds lines 'name: value'",
                    place(root.get().getStartMark()));
        }
        Set<String> seen = new HashSet<>();
        for (NodeTuple pair : mapping.getValue()) {
            long place = place(pair.getKeyNode().getStartMark());
            if (!(pair.getKeyNode() instanceof ScalarNode name) || !(pair.getValueNode() instanceof ScalarNode value)) {
                throw new InputException("a setting has one plain value: 'name: value'", place);
            }
            if (!seen.add(name.getValue())) {
                throw new InputException("'" + name.getValue() + "' is set twice", place);
            }
            entries.add(new Entry(name.getValue(), value.getValue(), place));
        }
        return entries;
    }

    private static long place(Optional<Mark> mark) {
        return mark.map(at -> Place.of(at.getLine() + 1L, at.getColumn() + 1L)).orElse(Place.NONE);
    }
}
