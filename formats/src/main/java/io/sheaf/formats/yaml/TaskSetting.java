package io.sheaf.formats.yaml;

import io.sheaf.formats.yaml.Node.Items;
import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.CoresText;
import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import io.sheaf.text.SizeText;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.GpuText;
import io.sheaf.workflow.Resources;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The settings of a task, a category or the defaults. */
enum TaskSetting {
    RUN {
        @Override
        void check(Node value) {
            if (NodeTypes.texts(value, key()).isEmpty()) {
                throw new InputException("'run' has no program; give one or remove it", value.place());
            }
        }
    },
    SHELL {
        @Override
        void check(Node value) {
            if (NodeTypes.texts(value, key()).stream()
                    .allMatch(text -> text.text().isBlank())) {
                throw new InputException("'shell' has no program; give one or remove it", value.place());
            }
        }
    },
    TIME(TimeText::micros) {
        @Override
        void check(Node value) {
            if (value instanceof Mapping table) {
                TimeTable.check(table);
            } else {
                super.check(value);
            }
        }
    },
    LIMIT(TimeText::micros),
    CORES(CoresText::millicores),
    MEMORY(SizeText::bytes),
    GPUS(text -> GpuText.on(Resources.ONE_CORE, text)),
    RESOURCES {
        @Override
        void check(Node value) {
            NodeTypes.fields(value, "'resources'").forEach((name, amount) -> {
                if (!NAME.matcher(name.text()).matches()) {
                    throw new InputException(
                            "the resource '" + name.text() + "' must have a name of letters, digits, - and _",
                            name.place());
                }
                MEMORY.check(amount);
            });
        }
    },
    NODES(1),
    RETRIES(0),
    RETRY(0) {
        @Override
        void check(Node value) {
            if (value instanceof Mapping rule) {
                RetryRule.check(rule);
            } else {
                super.check(value);
            }
        }
    },
    PRIORITY(Integer.MIN_VALUE),
    ENV {
        @Override
        void check(Node value) {
            NodeTypes.fields(value, "'env'").forEach((name, text) -> environment(text, name));
        }
    },
    SETUP {
        @Override
        void check(Node value) {
            NodeTypes.texts(value, key());
        }
    },
    CONTAINER,
    CONDA;

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");

    static final List<String> KEYS =
            Arrays.stream(values()).map(TaskSetting::key).toList();

    private final String key = name().toLowerCase(Locale.ROOT);
    // Parsers have no state.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Function<String, ?> parser;

    /** A setting of any text. */
    TaskSetting() {
        this(text -> text);
    }

    /** A setting that this accepts. */
    TaskSetting(Function<String, ?> parser) {
        this.parser = parser;
    }

    /** A whole number that is at least this. */
    TaskSetting(int min) {
        String name = key;
        parser = text -> NodeTypes.whole(text, name, min, Place.NONE);
    }

    String key() {
        return key;
    }

    /** The setting with this key, or null. */
    static @Nullable TaskSetting find(String key) {
        for (TaskSetting setting : values()) {
            if (setting.key.equals(key)) {
                return setting;
            }
        }
        return null;
    }

    /** Rejects an invalid value, as far as possible before variables are replaced. */
    void check(Node value) {
        Text text = NodeTypes.text(value, key());
        if (text.text().indexOf('{') < 0) {
            InputException.at(text.place(), () -> parser.apply(text.text()));
        }
    }

    /** A variable's value, which may be the empty text. */
    static Text environment(Node value, Text name) {
        if (value instanceof Text text) {
            return text.isNothing() ? new Text("", Node.Style.QUOTED, text.place()) : text;
        }
        throw new InputException(
                "the environment variable '" + name.text() + "' must be a text, not "
                        + (value instanceof Items ? "a list" : "a map"),
                value.place());
    }
}
