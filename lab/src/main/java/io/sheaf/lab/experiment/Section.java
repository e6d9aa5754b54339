package io.sheaf.lab.experiment;

import io.sheaf.formats.NumberText;
import io.sheaf.formats.yaml.Node;
import io.sheaf.formats.yaml.Node.Items;
import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import io.sheaf.text.TimeText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A map of an experiment file with known keys; problems are collected and do not stop the reading. */
public final class Section {
    private final Mapping fields;
    private final Problems problems;

    /** Reports each unknown key. */
    public Section(Mapping fields, String where, List<String> known, Problems problems) {
        this.fields = fields;
        this.problems = problems;
        for (Text key : fields.keys()) {
            if (!known.contains(key.text())) {
                String hint = Nearest.hint(key.text(), known);
                problems.add(
                        "unknown key '" + key.text() + "' in " + where + "."
                                + (hint.isEmpty() ? " Known keys: " + String.join(", ", known) : hint),
                        key.place());
            }
        }
    }

    public long place() {
        return fields.place();
    }

    public Problems problems() {
        return problems;
    }

    /** Reports a problem of the whole map. */
    public void problem(String text) {
        problems.add(text, place());
    }

    public boolean has(String key) {
        return node(key) != null;
    }

    public @Nullable Node node(String key) {
        return fields.get(key);
    }

    /** The contents as text, without these keys and places in the file. */
    public String contents(List<String> without) {
        return contents(fields, without);
    }

    private static String contents(Node node, List<String> without) {
        if (node instanceof Text text) {
            return "'" + text.text() + "'";
        }
        StringBuilder text = new StringBuilder("(");
        if (node instanceof Items items) {
            items.items().forEach(each -> text.append(contents(each, without)).append(' '));
        } else if (node instanceof Mapping map) {
            map.forEach((key, value) -> {
                if (!without.contains(key.text())) {
                    text.append(key.text() + "=" + contents(value, without) + " ");
                }
            });
        }
        return text.append(')').toString();
    }

    /** The values of a key: one value or a list; empty if the key is missing. */
    public List<Text> texts(String key) {
        Node node = node(key);
        List<Text> texts = new ArrayList<>();
        for (Node item : node instanceof Items items ? items.items() : node == null ? List.<Node>of() : List.of(node)) {
            if (item instanceof Text text && !text.isNothing()) {
                texts.add(text);
            } else {
                problems.add("'" + key + "' must be a text or a list of texts", item.place());
            }
        }
        if (node instanceof Items && texts.isEmpty()) {
            problems.add("'" + key + "' is an empty list; name at least one, or leave the key out", node.place());
        }
        return texts;
    }

    /** The single value of a key, or null. */
    public @Nullable Text text(String key) {
        Node node = node(key);
        if (node instanceof Items) {
            problems.add("'" + key + "' takes one value, not a list", node.place());
            return null;
        }
        List<Text> texts = texts(key);
        return texts.isEmpty() ? null : texts.get(0);
    }

    public String text(String key, String defaultValue) {
        Text text = text(key);
        return text == null ? defaultValue : text.text();
    }

    /** The maps of a list; a single map is a list of one. */
    public List<Mapping> maps(String key) {
        Node node = node(key);
        List<Mapping> maps = new ArrayList<>();
        for (Node item : node instanceof Items items ? items.items() : node == null ? List.<Node>of() : List.of(node)) {
            if (item instanceof Mapping map) {
                maps.add(map);
            } else {
                problems.add("'" + key + "' must be a list of maps (key: value)", item.place());
            }
        }
        return maps;
    }

    /** The converted values of a key, each once; values that cannot be converted are reported and left out. */
    public <T> List<T> each(String key, List<T> defaultValue, Function<String, T> made) {
        List<Text> texts = texts(key);
        if (texts.isEmpty()) {
            return defaultValue;
        }
        List<T> all = new ArrayList<>();
        for (Text text : texts) {
            T one = problems.get(text.place(), () -> named(key, text.text(), made));
            if (one != null && !all.contains(one)) {
                all.add(one);
            }
        }
        return all;
    }

    public <T> T one(String key, T defaultValue, Function<String, T> made) {
        Text text = text(key);
        T one = text == null ? null : problems.get(text.place(), () -> named(key, text.text(), made));
        return one == null ? defaultValue : one;
    }

    private static <T> T named(String key, String text, Function<String, T> made) {
        try {
            return made.apply(text);
        } catch (InputException e) {
            throw e.file() == null ? new InputException("'" + key + "': " + e.problem()) : e;
        }
    }

    /** Converts to a whole number with this minimum. */
    public static Function<String, Integer> whole(int min) {
        return text -> {
            try {
                int value = Integer.parseInt(text.strip());
                if (value >= min) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // Reported below.
            }
            throw new InputException("'" + text + "' is not a whole number of at least " + min);
        };
    }

    public static long seed(String text) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw new InputException("'" + text + "' is not a whole number");
        }
    }

    /** A time, in milliseconds. */
    public static long time(String text) {
        return TimeText.millis(text);
    }

    /** A number above 0, as written. */
    public static String factor(String text) {
        double value = NumberText.decimal(text.strip());
        if (value > 0 && value <= 1_000_000) {
            return text.strip();
        }
        throw new InputException("'" + text + "' is not a number above 0");
    }

    /** Converts a name in lower case to its constant. */
    public static <E extends Enum<E>> Function<String, E> constant(Class<E> type) {
        return text -> {
            List<String> names = new ArrayList<>();
            for (E each : type.getEnumConstants()) {
                names.add(name(each));
                if (name(each).equals(text.strip().toLowerCase(Locale.ROOT))) {
                    return each;
                }
            }
            throw unknown(text, names);
        };
    }

    /** Accepts one of these words. */
    public static Function<String, String> word(String... words) {
        return text -> {
            String word = text.strip().toLowerCase(Locale.ROOT);
            if (!Arrays.asList(words).contains(word)) {
                throw unknown(text, Arrays.asList(words));
            }
            return word;
        };
    }

    public static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static InputException unknown(String text, List<String> names) {
        return InputException.unknown("value", text, names);
    }
}
