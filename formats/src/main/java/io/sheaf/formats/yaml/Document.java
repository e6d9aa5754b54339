package io.sheaf.formats.yaml;

import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowParameters;
import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.events.Event;

/** A workflow file as written, before variables are replaced and groups made into tasks. */
final class Document {
    static final String NAME = "name";
    static final String EDGES = "edges";
    static final String VARS = "vars";
    static final String DEFAULTS = "defaults";
    static final String CATEGORIES = "categories";
    static final String TASKS = "tasks";

    static final List<String> KEYS = List.of(NAME, EDGES, VARS, DEFAULTS, CATEGORIES, TASKS);
    static final List<String> DEFAULTS_KEYS = withCategory();
    static final List<String> CATEGORY_KEYS = TaskSetting.KEYS;

    /** The values of {@code edges}: which dependencies there are. */
    static final String EDGES_FILES = "files";

    static final String EDGES_AFTER = "after";

    private static final String ADVICE = "a workflow file needs 'tasks:' with at least a task below it";

    @Nullable
    Text name;

    boolean fileEdges = true;
    final Scope globals;
    private final WorkflowParameters parameters;
    TaskSettings defaults = TaskSettings.NONE;

    @Nullable
    Text defaultCategory;

    /** By their names as written. */
    final Map<Text, TaskSettings> categories = new LinkedHashMap<>();

    final List<TaskSpec> tasks = new ArrayList<>();

    /** The variables of {@code vars}. */
    private final Set<String> declared = new LinkedHashSet<>();

    private Document(Source source) {
        globals = new Scope(new FoundFiles(source));
        parameters = source.parameters();
    }

    private static List<String> withCategory() {
        List<String> keys = new ArrayList<>(TaskSetting.KEYS);
        keys.add(TaskSpec.CATEGORY);
        return List.copyOf(keys);
    }

    static Document read(InputStream in, Source source) {
        Events events = new Events(in);
        events.next();
        Event start = events.next();
        if (start.getEventId() == Event.ID.StreamEnd) {
            throw new InputException("is empty; " + ADVICE);
        }
        Event top = events.next();
        if (!Events.isMap(top)) {
            throw new InputException("is not a workflow; " + ADVICE, Events.place(top));
        }
        Document document = new Document(source);
        document.fields(events, Events.place(top));
        events.next();
        Event end = events.next();
        if (end.getEventId() != Event.ID.StreamEnd) {
            throw new InputException(
                    "a second document (---) begins here; put one workflow into a file", Events.place(end));
        }
        return document;
    }

    private void fields(Events events, long place) {
        Set<String> seen = new HashSet<>();
        for (Event event = events.next(); event.getEventId() != Event.ID.MappingEnd; event = events.next()) {
            Text key = events.key(event);
            if (!seen.add(key.text())) {
                throw new InputException("'" + key.text() + "' is given twice; keep one of them", key.place());
            }
            switch (key.text()) {
                case NAME -> name = NodeTypes.text(events.node(), NAME);
                case EDGES -> fileEdges = edges(NodeTypes.text(events.node(), EDGES));
                case VARS -> variables(NodeTypes.fields(events.node(), "'vars'"));
                case DEFAULTS -> defaults(NodeTypes.fields(events.node(), "'defaults'"));
                case CATEGORIES -> categories(NodeTypes.fields(events.node(), "'categories'"));
                case TASKS -> tasks(events);
                default -> throw NodeTypes.unknownKey(key, "the file", KEYS);
            }
        }
        if (!seen.contains(TASKS)) {
            throw new InputException("there are no tasks; " + ADVICE, place);
        }
        for (String name : parameters.names()) {
            if (!declared.contains(name)) {
                throw new InputException(
                        Objects.requireNonNull(parameters.get(name)).origin() + ": there is no variable '" + name
                                + "' under 'vars'." + Nearest.hint(name, declared));
            }
        }
    }

    private static boolean edges(Text value) {
        return switch (value.text()) {
            case EDGES_FILES -> true;
            case EDGES_AFTER -> false;
            default ->
                throw new InputException(
                        "'edges' must be 'files' (a task waits for the writers of its inputs) or 'after' (only"
                                + " for what 'after' lists), not '" + value.text() + "'",
                        value.place());
        };
    }

    private void variables(Mapping fields) {
        for (int i = 0; i < fields.size(); i++) {
            String variable = Scope.checkName(fields.keys().get(i));
            declared.add(variable);
            Node value = fields.values().get(i);
            if (value instanceof Mapping source && Foreach.isFound(source)) {
                globals.define(variable, Foreach.values(variable, source, globals));
            } else {
                Declaration.of(variable, value, globals).define(globals, parameters);
            }
        }
    }

    private void defaults(Mapping fields) {
        defaults = new TaskSettings();
        for (int i = 0; i < fields.size(); i++) {
            Text key = fields.keys().get(i);
            Node value = fields.values().get(i);
            if (key.text().equals(TaskSpec.CATEGORY)) {
                defaultCategory = NodeTypes.text(value, TaskSpec.CATEGORY);
            } else if (!defaults.put(key, value)) {
                throw NodeTypes.unknownKey(key, "'defaults'", DEFAULTS_KEYS);
            }
        }
    }

    private void categories(Mapping fields) {
        for (int i = 0; i < fields.size(); i++) {
            Text category = fields.keys().get(i);
            TaskSettings settings = new TaskSettings();
            categories.put(category, settings);
            if (fields.values().get(i) instanceof Text text && text.isNothing()) {
                continue;
            }
            Mapping entries = NodeTypes.fields(fields.values().get(i), "category '" + category.text() + "'");
            for (int k = 0; k < entries.size(); k++) {
                Text key = entries.keys().get(k);
                if (!settings.put(key, entries.values().get(k))) {
                    throw NodeTypes.unknownKey(key, "category '" + category.text() + "'", CATEGORY_KEYS);
                }
            }
        }
    }

    /** Task by task, so that the nodes of one are released before the next is read. */
    private void tasks(Events events) {
        Event start = events.next();
        if (!Events.isMap(start)) {
            throw new InputException(
                    "'tasks' must be a map from names to tasks, with lines such as 'align:' and the task below, indented",
                    Events.place(start));
        }
        for (Event event = events.next(); event.getEventId() != Event.ID.MappingEnd; event = events.next()) {
            Text key = events.key(event);
            tasks.add(TaskSpec.of(key, events.node()));
            if (tasks.size() > Foreach.MAX_TASKS) {
                throw Foreach.tooMany(key.place());
            }
        }
    }
}
