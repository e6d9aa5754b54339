package io.sheaf.formats.yaml;

import io.sheaf.formats.Source;
import io.sheaf.text.InputException;
import org.snakeyaml.engine.v2.events.Event;

/** Reads a small YAML file as a tree whose parts know their places; by the same rules as workflows: no tags, no key twice, one document. */
public final class YamlTree {
    private YamlTree() {}

    /** The map that the file holds. */
    public static Node.Fields read(Source source) {
        return source.read(in -> {
            Events events = new Events(in);
            events.next();
            if (events.next().getEventId() == Event.ID.StreamEnd) {
                throw new InputException("is empty");
            }
            Node.Fields fields = Shape.fields(events.node(), "the file");
            events.next();
            Event end = events.next();
            if (end.getEventId() != Event.ID.StreamEnd) {
                throw new InputException("a second document (---) begins here; keep one", Events.place(end));
            }
            return fields;
        });
    }
}
