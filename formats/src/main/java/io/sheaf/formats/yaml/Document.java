package io.sheaf.formats.yaml;

import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowParameters;
import io.sheaf.formats.yaml.Node.Items;
import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import io.sheaf.text.SizeText;
import io.sheaf.text.TimeText;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
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
    static final List<String> DEFAULTS_KEYS = Stream.concat(TaskSetting.KEYS.stream(), Stream.of(TaskSpec.CATEGORY))
            .toList();
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
            Text key = events.key(event, seen);
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
        fields.forEach((name, value) -> {
            String variable = Scope.checkName(name);
            declared.add(variable);
            if (value instanceof Mapping source && Foreach.isFound(source)) {
                globals.define(variable, Foreach.values(variable, source, globals));
            } else {
                Declaration.of(variable, value, globals).define(globals, parameters);
            }
        });
    }

    private void defaults(Mapping fields) {
        TaskSettings defaults = new TaskSettings();
        fields.forEach((key, value) -> {
            if (key.text().equals(TaskSpec.CATEGORY)) {
                defaultCategory = NodeTypes.text(value, TaskSpec.CATEGORY);
            } else if (!defaults.put(key, value)) {
                throw NodeTypes.unknownKey(key, "'defaults'", DEFAULTS_KEYS);
            }
        });
        this.defaults = defaults;
    }

    private void categories(Mapping fields) {
        fields.forEach((category, node) -> {
            TaskSettings settings = new TaskSettings();
            categories.put(category, settings);
            if (node instanceof Text text && text.isNothing()) {
                return;
            }
            String where = "category '" + category.text() + "'";
            NodeTypes.fields(node, where).forEach((key, value) -> {
                if (!settings.put(key, value)) {
                    throw NodeTypes.unknownKey(key, where, CATEGORY_KEYS);
                }
            });
        });
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

    /**
     * A variable with a type, a default or both: {@code {type: int, default: 4}}.
     *
     * <p>Its value is the one given on the command line, else that of the environment variable which {@code env} names, else the default.
     */
    private static final class Declaration {
        private static final String TYPE = "type";
        private static final String DEFAULT = "default";
        private static final String CHOICES = "choices";
        private static final String ENV = "env";
        private static final List<String> KEYS = List.of(TYPE, DEFAULT, CHOICES, ENV);
        private static final List<String> TYPES = List.of("text", "int", "number", "bool", "time", "size");

        private final String name;
        private final String type;
        private final List<String> choices;
        /** The environment variable with its value; empty if it has none. */
        private final String env;

        private final @Nullable Node defaultValue;
        private final long place;

        private Declaration(String name, Mapping fields, Scope globals) {
            this.name = name;
            place = fields.place();
            NodeTypes.checkKeys(fields, "variable '" + name + "'", KEYS);
            Node typeNode = fields.get(TYPE);
            type = typeNode == null ? "text" : NodeTypes.text(typeNode, TYPE).text();
            if (!TYPES.contains(type)) {
                throw new InputException(
                        "'" + type + "' is not a type of variables; use one of " + String.join(", ", TYPES)
                                + (type.equals("list") ? ". A list is written as it is, as in 'x: [a, b]'" : ""),
                        place);
            }
            Node choicesNode = fields.get(CHOICES);
            choices = choicesNode == null
                    ? List.of()
                    : NodeTypes.texts(choicesNode, CHOICES).stream()
                            .map(text -> Template.fill(text, globals))
                            .toList();
            Node named = fields.get(ENV);
            env = named == null ? "" : NodeTypes.text(named, ENV).text();
            defaultValue = fields.get(DEFAULT);
        }

        static Declaration of(String name, Node value, Scope globals) {
            return value instanceof Mapping fields
                    ? new Declaration(name, NodeTypes.fields(fields, "variable '" + name + "'"), globals)
                    : new Declaration(
                            name,
                            new Mapping(
                                    List.of(new Text(DEFAULT, Node.Style.PLAIN, value.place())),
                                    List.of(value),
                                    true,
                                    value.place(),
                                    1),
                            globals);
        }

        void define(Scope globals, WorkflowParameters parameters) {
            WorkflowParameters.Given parameter = parameters.get(name);
            String variable = env.isEmpty() ? null : parameters.environment().get(env);
            if (parameter != null && parameter.list()) {
                parameter.values().forEach(value -> check(value, parameter.origin() + ": "));
                globals.define(name, new Values.Listed(parameter.values()));
            } else if (parameter != null) {
                Text text = new Text(parameter.values().get(0), Node.Style.PLAIN, place);
                define(globals, text, text.text(), parameter.origin() + ": ");
            } else if (variable != null) {
                define(
                        globals,
                        new Text(variable, Node.Style.QUOTED, place),
                        variable,
                        "environment variable " + env + ": ");
            } else if (defaultValue instanceof Items) {
                Values values = Foreach.values(name, defaultValue, globals);
                for (int i = 0; i < values.size(); i++) {
                    check(values.get(i), "");
                }
                globals.define(name, values);
            } else if (defaultValue != null) {
                Text text = NodeTypes.text(defaultValue, name);
                define(globals, text, Template.fill(text, globals), "");
            } else {
                throw new InputException(
                        "variable '" + name + "' has no value; give one by --set " + name + "=VALUE"
                                + (env.isEmpty() ? "" : " or the environment variable " + env),
                        place);
            }
        }

        private void define(Scope globals, Text text, String value, String origin) {
            Values range =
                    text.style() == Node.Style.PLAIN && type.equals("text") ? Values.Range.parse(value, text) : null;
            if (range != null) {
                globals.define(name, range);
                return;
            }
            check(value, origin);
            globals.define(name, value);
        }

        private void check(String value, String origin) {
            if (!choices.isEmpty() && !choices.contains(value)) {
                throw new InputException(
                        origin + "variable '" + name + "' must be one of " + String.join(", ", choices) + ", not '"
                                + value + "'",
                        place);
            }
            if (!isOfType(value)) {
                throw new InputException(
                        origin + "variable '" + name + "' must be of type " + type + ", not '" + value + "'", place);
            }
        }

        private boolean isOfType(String value) {
            try {
                switch (type) {
                    case "int" -> Long.parseLong(value);
                    case "number" -> Double.parseDouble(value);
                    case "time" -> TimeText.micros(value);
                    case "size" -> SizeText.bytes(value);
                    case "bool" -> {
                        return value.equals("true") || value.equals("false");
                    }
                    default -> {
                        return true;
                    }
                }
                return true;
            } catch (NumberFormatException | InputException e) {
                return false;
            }
        }
    }
}
