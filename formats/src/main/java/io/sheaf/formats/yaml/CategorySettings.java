package io.sheaf.formats.yaml;

import io.sheaf.formats.ShellWords;
import io.sheaf.formats.yaml.Node.Items;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Resolves a task's settings from its category and the defaults, and describes the categories to the workflow. */
final class CategorySettings {
    private final Document document;
    private final WorkflowBuilder builder;
    private final Map<String, TaskSettings> byName = new HashMap<>();
    private final Set<String> described = new HashSet<>();

    CategorySettings(Document document, WorkflowBuilder builder) {
        this.document = document;
        this.builder = builder;
        document.categories.forEach((name, settings) -> {
            String filled = Template.fill(name, document.globals);
            if (byName.put(filled, settings) != null) {
                throw new InputException("category '" + filled + "' is given twice; keep one of them", name.place());
            }
            // Also those that have no task yet: a run may grow.
            describe(filled, new TaskSettings[] {settings, document.defaults});
            described.add(filled);
        });
    }

    /** Where a task of this category finds its settings, nearest first. */
    TaskSettings[] levels(TaskSpec spec, String category) {
        TaskSettings[] levels = {spec.settings, byName.getOrDefault(category, TaskSettings.NONE), document.defaults};
        boolean own = spec.settings.get(TaskSetting.SETUP) != null
                || spec.settings.get(TaskSetting.CONTAINER) != null
                || spec.settings.get(TaskSetting.CONDA) != null;
        // The task's own category wins over earlier mentions.
        if (own || !described.contains(category)) {
            describe(category, levels);
            described.add(category);
        }
        return levels;
    }

    private void describe(String category, TaskSettings[] levels) {
        List<String> setup = new ArrayList<>();
        if (TaskSettings.find(levels, TaskSetting.CONDA) instanceof Text environment) {
            setup.addAll(conda(Template.fill(environment, document.globals)));
        }
        setup.addAll(lines(TaskSettings.find(levels, TaskSetting.SETUP)));
        Node image = TaskSettings.find(levels, TaskSetting.CONTAINER);
        String container = image instanceof Text text ? Template.fill(text, document.globals) : null;
        if (!setup.isEmpty() || container != null) {
            builder.describe(new Category(category, setup, container));
        }
    }

    /** Setup lines that activate an environment by name or, from a file, create it once below the working folder. */
    private static List<String> conda(String environment) {
        String word = ShellWords.quote(environment);
        String use = "if command -v micromamba > /dev/null; then eval \"$(micromamba shell hook --shell bash)\"; "
                + "micromamba activate %1$s; elif command -v conda > /dev/null; then eval \"$(conda shell.bash hook)\"; "
                + "conda activate %1$s; else echo 'sheaf: conda: neither micromamba nor conda is on the PATH of this"
                + " node' >&2; false; fi";
        if (!environment.endsWith(".yaml") && !environment.endsWith(".yml")) {
            return List.of(String.format(Locale.ROOT, use, word));
        }
        return List.of(
                "mkdir -p .sheaf/conda",
                "conda_prefix=$PWD/.sheaf/conda/$(cksum < " + word + " | cut -d ' ' -f 1)",
                "( flock 9; [ -e \"$conda_prefix/complete\" ] || { if command -v micromamba > /dev/null; then"
                        + " micromamba create --yes --prefix \"$conda_prefix\" --file " + word
                        + "; else conda env create --prefix \"$conda_prefix\" --file " + word
                        + "; fi && touch \"$conda_prefix/complete\"; } ) 9> \"$conda_prefix.lock\" >&2",
                String.format(Locale.ROOT, use, "\"$conda_prefix\""));
    }

    /** Lines as listed, or those of one text. */
    private List<String> lines(@Nullable Node value) {
        if (value instanceof Items items) {
            return NodeTypes.texts(items, TaskSetting.SETUP.key()).stream()
                    .map(line -> Template.fill(line, document.globals))
                    .toList();
        }
        return value instanceof Text text
                ? Template.fill(text, document.globals).lines().toList()
                : List.of();
    }
}
