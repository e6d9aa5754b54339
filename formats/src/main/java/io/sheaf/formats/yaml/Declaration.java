package io.sheaf.formats.yaml;

import io.sheaf.formats.WorkflowParameters;
import io.sheaf.formats.yaml.Node.Items;
import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.InputException;
import io.sheaf.text.SizeText;
import io.sheaf.text.TimeText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A variable with a type, a default or both: {@code {type: int, default: 4}}.
 *
 * <p>Its value is the one given on the command line, else that of the environment variable which {@code env} names, else the default.
 */
final class Declaration {
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
        for (Text key : fields.keys()) {
            if (!KEYS.contains(key.text())) {
                throw NodeTypes.unknownKey(key, "variable '" + name + "'", KEYS);
            }
        }
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
        Values range = text.style() == Node.Style.PLAIN && type.equals("text") ? Values.Range.parse(value, text) : null;
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
                    origin + "variable '" + name + "' must be one of " + String.join(", ", choices) + ", not '" + value
                            + "'",
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
