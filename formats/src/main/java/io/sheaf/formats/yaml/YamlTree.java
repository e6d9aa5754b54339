package io.sheaf.formats.yaml;

import io.sheaf.formats.Source;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.InputException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.events.Event;

/** Reads YAML files other than Sheaf workflows by the same rules: no tags, no duplicate keys, one document, places for errors. */
public final class YamlTree {
    private YamlTree() {}

    /** The map of a small file. */
    public static Node.Mapping read(Source source) {
        return readIfAny(source).orElseThrow(() -> new InputException("is empty").in(source.name()));
    }

    /** The map of a small file; nothing if the file is empty. */
    public static Optional<Node.Mapping> readIfAny(Source source) {
        return source.read(in -> {
            Events events = new Events(in);
            events.next();
            if (events.next().getEventId() == Event.ID.StreamEnd) {
                return Optional.empty();
            }
            Node.Mapping fields = NodeTypes.fields(events.node(), "the file");
            events.next();
            onlyOne(events.next());
            return Optional.of(fields);
        });
    }

    /** Passes on the entries of a file's map one by one, so that a large file is never a tree in memory. */
    public interface Entries {
        /** Whether a list behind this key is handed over item by item. */
        boolean isLong(String key);

        void entry(Text key, Node value);

        void item(Text key, Node item);
    }

    /** Hands over the entries of the map that the file holds. */
    public static void each(Source source, Entries entries) {
        source.read(in -> {
            Events events = new Events(in);
            events.next();
            if (events.next().getEventId() == Event.ID.StreamEnd) {
                throw new InputException("is empty");
            }
            Event top = events.next();
            if (!Events.isMap(top)) {
                NodeTypes.fields(events.node(top), "the file");
            }
            Set<String> seen = new HashSet<>();
            for (Event event = events.next(); event.getEventId() != Event.ID.MappingEnd; event = events.next()) {
                Text key = events.key(event, seen);
                entry(events, key, entries);
            }
            events.next();
            onlyOne(events.next());
            return seen.size();
        });
    }

    private static void entry(Events events, Text key, Entries entries) {
        Event first = events.next();
        if (!entries.isLong(key.text()) || !Events.isList(first)) {
            entries.entry(key, events.node(first));
            return;
        }
        for (Event event = events.next(); event.getEventId() != Event.ID.SequenceEnd; event = events.next()) {
            entries.item(key, events.node(event));
        }
    }

    private static void onlyOne(Event end) {
        if (end.getEventId() != Event.ID.StreamEnd) {
            throw new InputException("a second document (---) begins here; keep one", Events.place(end));
        }
    }
}
