package io.sheaf.formats.yaml;

import io.sheaf.formats.yaml.Node.Items;
import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.formats.yaml.Node.Style;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * The events of a YAML stream, and nodes built from them part by part, so that a large file is never a tree in memory.
 *
 * <p>Tags are errors, and so are constructs that make small files large or deep: nodes behind aliases count each time.
 */
final class Events {
    /** The deepest path of a workflow is an entry's size: tasks, task, in, entry, size. */
    private static final int DEEPEST = 16;

    /** Maximum number of nodes behind aliases in a file. */
    private static final int MAX_ALIASED = 100_000;

    /** In characters; the parser copies what it has of a word as often as it fills its buffer. */
    private static final int BUFFER = 1 << 16;

    private final Iterator<Event> events;
    private final Map<String, Node> anchored = new HashMap<>();
    private int aliased;

    Events(InputStream in) {
        LoadSettings settings = LoadSettings.builder()
                .setCodePointLimit(Integer.MAX_VALUE)
                .setBufferSize(BUFFER)
                .build();
        events = new Parse(settings).parseReader(new CheckedReader(in)).iterator();
    }

    /** The next event; a file that is not YAML is refused here. */
    Event next() {
        try {
            return events.next();
        } catch (RuntimeException e) {
            throw explained(e);
        }
    }

    static long place(Event event) {
        Optional<Mark> mark = event.getStartMark();
        return mark.isEmpty()
                ? Place.NONE
                : Place.of(mark.get().getLine() + 1L, mark.get().getColumn() + 1L);
    }

    Node node() {
        return node(next(), 0);
    }

    /** The node that begins with this event. */
    Node node(Event first) {
        return node(first, 0);
    }

    /** Accepts this event as the start of a map whose entries the caller reads; returns whether it is one. */
    static boolean isMap(Event event) {
        if (event instanceof CollectionStartEvent start && start.getEventId() == Event.ID.MappingStart) {
            refuseTag(start.getTag(), place(event));
            return true;
        }
        return false;
    }

    /** The same for a list. */
    static boolean isList(Event event) {
        if (event instanceof CollectionStartEvent start && start.getEventId() == Event.ID.SequenceStart) {
            refuseTag(start.getTag(), place(event));
            return true;
        }
        return false;
    }

    Text key(Event event) {
        if (event instanceof ScalarEvent scalar) {
            refuseTag(scalar.getTag(), place(event));
            return text(scalar);
        }
        throw new InputException("a key must be a text, not a list, a map or an alias", place(event));
    }

    /** The same; refuses a key that was seen before. */
    Text key(Event event, Set<String> seen) {
        Text key = key(event);
        if (!seen.add(key.text())) {
            throw new InputException("'" + key.text() + "' is given twice; keep one of them", key.place());
        }
        return key;
    }

    private Node node(Event first, int depth) {
        if (depth > DEEPEST) {
            throw new InputException("lists and maps are nested too deep here; no part of a workflow is", place(first));
        }
        if (first instanceof AliasEvent alias) {
            return behind(alias);
        }
        Node node;
        if (first instanceof ScalarEvent scalar) {
            refuseTag(scalar.getTag(), place(first));
            node = text(scalar);
        } else if (first instanceof CollectionStartEvent start) {
            refuseTag(start.getTag(), place(first));
            node = start.getEventId() == Event.ID.SequenceStart ? items(start, depth) : fields(start, depth);
        } else {
            throw new InputException("a value is missing here", place(first));
        }
        ((NodeEvent) first).getAnchor().ifPresent(anchor -> anchored.put(anchor.getValue(), node));
        return node;
    }

    private Items items(CollectionStartEvent start, int depth) {
        List<Node> items = new ArrayList<>();
        long weight = 1;
        for (Event event = next(); event.getEventId() != Event.ID.SequenceEnd; event = next()) {
            Node item = node(event, depth + 1);
            weight += item.weight();
            items.add(item);
        }
        return new Items(items, place(start), clamp(weight));
    }

    private Mapping fields(CollectionStartEvent start, int depth) {
        List<Text> keys = new ArrayList<>(6);
        List<Node> values = new ArrayList<>(6);
        Set<String> seen = new HashSet<>();
        long weight = 1;
        for (Event event = next(); event.getEventId() != Event.ID.MappingEnd; event = next()) {
            Text key = key(event, seen);
            Node value = node(next(), depth + 1);
            weight += 1 + value.weight();
            keys.add(key);
            values.add(value);
        }
        return new Mapping(keys, values, start.isFlow(), place(start), clamp(weight));
    }

    private Node behind(AliasEvent alias) {
        String name = alias.getAlias().getValue();
        Node node = anchored.get(name);
        if (node == null) {
            throw new InputException(
                    "alias '*" + name + "' has no anchor; define '&" + name + "' before it", place(alias));
        }
        aliased = clamp((long) aliased + node.weight());
        if (aliased > MAX_ALIASED) {
            throw new InputException(
                    "aliases (*" + name + ") expand this file to more than " + MAX_ALIASED
                            + " parts; use vars, defaults or categories instead",
                    place(alias));
        }
        return node;
    }

    private static Text text(ScalarEvent scalar) {
        ScalarStyle style = scalar.getScalarStyle();
        return new Text(
                scalar.getValue(),
                style == ScalarStyle.PLAIN ? Style.PLAIN : style == ScalarStyle.LITERAL ? Style.LITERAL : Style.QUOTED,
                place(scalar));
    }

    private static void refuseTag(Optional<String> tag, long place) {
        if (tag.isPresent()) {
            String shown = tag.get().replace("tag:yaml.org,2002:", "!!");
            throw new InputException("the tag " + shown + " is not needed here; remove it", place);
        }
    }

    private static int clamp(long weight) {
        return (int) Math.min(weight, Integer.MAX_VALUE);
    }

    /**
     * Reads UTF-8 text without its byte order mark; characters that YAML forbids are errors with their place, and so are words without end.
     *
     * <p>The parser would report characters only with an offset, and its time grows with the square of a word's length.
     */
    private static final class CheckedReader extends Reader {
        /** What the decoder puts in place of bytes that are not UTF-8. */
        private static final char REPLACEMENT = '\ufffd';

        private static final char BYTE_ORDER_MARK = '\ufeff';

        /** Between blanks. */
        private static final int LONGEST_WORD = 8 << 20;

        private final Reader in;
        private int word;
        private boolean begun;
        private long line = 1;
        private long column = 1;

        CheckedReader(InputStream in) {
            this.in = new InputStreamReader(in, StandardCharsets.UTF_8);
        }

        @Override
        public int read(char[] into, int from, int length) throws IOException {
            int count = in.read(into, from, length);
            if (!begun && count > 0) {
                begun = true;
                if (into[from] == BYTE_ORDER_MARK) {
                    System.arraycopy(into, from + 1, into, from, count - 1);
                    count = count > 1 ? count - 1 : in.read(into, from, length);
                }
            }
            for (int i = from; i < from + count; i++) {
                check(into[i]);
            }
            return count;
        }

        private void check(char c) {
            if (c == REPLACEMENT) {
                throw new InputException("this is not UTF-8 text; save the file as UTF-8", Place.of(line, column));
            }
            if (!StreamReader.isPrintable(c) && !Character.isSurrogate(c)) {
                String code = String.format(Locale.ROOT, "%04X", (int) c);
                throw new InputException(
                        "the character U+" + code + " is not allowed in a YAML file; write \"\\u" + code
                                + "\" or remove it",
                        Place.of(line, column));
            }
            word = c == '\n' || c == ' ' || c == '\t' ? 0 : word + 1;
            if (word > LONGEST_WORD) {
                throw new InputException(
                        "more than " + LONGEST_WORD + " characters without a blank; write the value into a file",
                        Place.of(line, column - LONGEST_WORD));
            }
            if (c == '\n') {
                line++;
                column = 1;
            } else {
                column++;
            }
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    /** The message for the user; exceptions that do not come from the input are rethrown. */
    private static InputException explained(RuntimeException problem) {
        if (problem instanceof InputException original) {
            return original;
        }
        Throwable cause = problem;
        while (cause != null) {
            if (cause instanceof IOException io) {
                throw new UncheckedIOException(io);
            }
            if (cause instanceof InputException original) {
                return original;
            }
            cause = cause.getCause();
        }
        if (problem instanceof MarkedYamlEngineException marked) {
            return marked(marked);
        }
        if (problem instanceof YamlEngineException) {
            return new InputException("is not YAML: " + problem.getMessage());
        }
        throw problem;
    }

    private static InputException marked(MarkedYamlEngineException e) {
        Mark mark = e.getProblemMark().orElse(e.getContextMark().orElse(null));
        long place = mark == null ? Place.NONE : Place.of(mark.getLine() + 1L, mark.getColumn() + 1L);
        String problem = String.valueOf(e.getProblem());
        if (problem.contains("TAB")) {
            return new InputException("a tab is used to indent; YAML needs spaces", place);
        }
        if (mark != null && startsWithBrace(line(mark))) {
            return new InputException(
                    "this is not YAML, probably because a value starts with '{'; put such a value in double quotes",
                    place);
        }
        if (problem.startsWith("mapping values are not allowed")) {
            return new InputException(
                    "this line is not indented like the keys above it, or has a value with ': ' that needs quotes",
                    place);
        }
        String context = e.getContext() == null ? "" : " " + e.getContext();
        return new InputException("is not YAML" + context + ": " + problem, place);
    }

    /** Whether a value in this line begins with a variable: {@code in: {sample}.txt}. */
    private static boolean startsWithBrace(String line) {
        for (String lead : new String[] {": {", "- {"}) {
            int at = line.indexOf(lead);
            if (at >= 0 && line.indexOf('}', at) > 0 && line.indexOf(':', at + 1) < 0) {
                return true;
            }
        }
        return false;
    }

    private static String line(Mark mark) {
        int @Nullable [] buffer = mark.getBuffer();
        if (buffer == null) {
            return "";
        }
        int from = Math.min(mark.getPointer(), buffer.length);
        int to = from;
        while (from > 0 && buffer[from - 1] != '\n') {
            from--;
        }
        while (to < buffer.length && buffer[to] != '\n' && buffer[to] != 0) {
            to++;
        }
        return new String(buffer, from, to - from);
    }
}
