package io.sheaf.formats.yaml;

import io.sheaf.formats.yaml.Node.Items;
import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Checks that a node has the expected type; errors name it. */
public final class NodeTypes {
    /** Keys of other workflow languages and batch systems, with the key of the same meaning here. */
    private static final Map<String, String> FOREIGN = Map.ofEntries(
            Map.entry("input", "in"),
            Map.entry("inputs", "in"),
            Map.entry("output", "out"),
            Map.entry("outputs", "out"),
            Map.entry("cpu", "cores"),
            Map.entry("cpus", "cores"),
            Map.entry("ncpus", "cores"),
            Map.entry("threads", "cores"),
            Map.entry("mem", "memory"),
            Map.entry("ram", "memory"),
            Map.entry("gpu", "gpus"),
            Map.entry("command", "run"),
            Map.entry("cmd", "run"),
            Map.entry("script", "run"),
            Map.entry("depends", "after"),
            Map.entry("depends_on", "after"),
            Map.entry("needs", "after"),
            Map.entry("requires", "after"),
            Map.entry("runtime", "time"),
            Map.entry("walltime", "limit"),
            Map.entry("timeout", "limit"),
            Map.entry("environment", "env"),
            Map.entry("image", "container"),
            Map.entry("modules", "setup"),
            Map.entry("params", "vars"),
            Map.entry("parameters", "vars"),
            Map.entry("variables", "vars"),
            Map.entry("config", "vars"));

    private NodeTypes() {}

    /** A text of any kind; where nothing is written at all, something was forgotten. */
    public static Text text(Node node, String noun) {
        if (node instanceof Text text) {
            if (text.isNothing()) {
                throw new InputException("'" + noun + "' has no value; give it one or remove it", node.place());
            }
            return text;
        }
        if (node instanceof Mapping fields && isVariable(fields)) {
            String variable = "{" + fields.keys().get(0).text() + "}";
            throw new InputException("put " + variable + " in double quotes; YAML takes it for a map", node.place());
        }
        throw new InputException(
                "'" + noun + "' must be a text, not " + (node instanceof Items ? "a list" : "a map"), node.place());
    }

    public static List<Text> texts(Node node, String noun) {
        if (!(node instanceof Items items)) {
            return List.of(text(node, noun));
        }
        return items.items().stream().map(item -> text(item, noun)).toList();
    }

    public static Mapping fields(Node node, String noun) {
        if (node instanceof Mapping fields) {
            if (isVariable(fields)) {
                text(node, noun);
            }
            return fields;
        }
        throw new InputException(
                noun + " must be a map (key: value), not " + (node instanceof Items ? "a list" : "a text"),
                node.place());
    }

    public static Items items(Node node, String noun) {
        if (node instanceof Items items) {
            return items;
        }
        throw new InputException(
                noun + " must be a list (- item), not " + (node instanceof Mapping ? "a map" : "a text"), node.place());
    }

    /** Whether it is {@code {sample}} without quotes. */
    private static boolean isVariable(Mapping fields) {
        return fields.inBraces()
                && fields.size() == 1
                && Template.isName(fields.keys().get(0).text())
                && fields.values().get(0) instanceof Text value
                && value.isNothing()
                && value.text().isEmpty();
    }

    /** Refuses a map with a key that is not among these. */
    public static void checkKeys(Mapping fields, String where, List<String> known) {
        for (Text key : fields.keys()) {
            if (!known.contains(key.text())) {
                throw unknownKey(key, where, known);
            }
        }
    }

    public static InputException unknownKey(Text key, String where, List<String> known) {
        String suggestion = FOREIGN.get(key.text().toLowerCase(Locale.ROOT));
        String hint = suggestion != null && known.contains(suggestion)
                ? " Did you mean '" + suggestion + "'?"
                : Nearest.hint(key.text(), known);
        return new InputException(
                "unknown key '" + key.text() + "' in " + where + "."
                        + (hint.isEmpty() ? " Known keys: " + String.join(", ", known) : hint),
                key.place());
    }

    /** A whole number that is at least this. */
    static int whole(String text, String noun, int min, long place) {
        try {
            int value = Integer.parseInt(text.strip());
            if (value >= min) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Reported below, like a number that is too small.
        }
        String bound = min == Integer.MIN_VALUE ? "" : " of at least " + min;
        throw new InputException("'" + noun + "' must be a whole number" + bound + ", not '" + text + "'", place);
    }
}
