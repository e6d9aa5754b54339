package io.sheaf.app.crate;

import io.sheaf.app.cli.JsonOut;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes the entities of an RO-Crate, flat, in the order of the calls. */
record Entities(JsonOut out) {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSxxx", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    Entities entity(String id, String... types) {
        out.object().field("@id", id);
        if (types.length == 1) {
            return text("@type", types[0]);
        }
        out.texts("@type", List.of(types));
        return this;
    }

    /** A text; nothing if it is empty. */
    Entities text(String key, String value) {
        out.optional(key, value);
        return this;
    }

    /** An instant with its offset, as profiles of RO-Crate recommend; nothing if it is negative. */
    Entities time(String key, long millis) {
        return text(key, millis < 0 ? "" : TIME.format(Instant.ofEpochMilli(millis)));
    }

    /** A text, which may be empty. */
    Entities textOrEmpty(String key, String value) {
        out.field(key, value);
        return this;
    }

    /** A reference to an entity; nothing if its id is empty. */
    Entities ref(String key, String id) {
        if (!id.isEmpty()) {
            out.object(key).field("@id", id).end();
        }
        return this;
    }

    /** References to entities; nothing if there are none. */
    Entities refs(String key, Collection<String> ids) {
        if (!ids.isEmpty()) {
            out.objects(key, ids, id -> out.field("@id", id));
        }
        return this;
    }

    void end() {
        out.end();
    }

    /** The id of an entity that is no file: {@code #task-a/1}. */
    static String id(String kind, String name) {
        return "#" + kind + "-" + encoded(name);
    }

    /** A path as part of a URI. */
    static String encoded(String path) {
        return Arrays.stream(path.split("/", -1))
                .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20"))
                .collect(Collectors.joining("/"));
    }
}
