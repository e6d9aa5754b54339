package io.sheaf.formats.yaml;

import io.sheaf.formats.Deferred;
import io.sheaf.formats.yaml.FileEntry.From;
import io.sheaf.formats.yaml.FileEntry.One;
import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Groups over files that other tasks write into a folder ({@code out: {dir: …}}). Until the writers have run, such a group is
 * left out of the workflow, with every entry that depends on it.
 *
 * <p>Names that depend on variables of a {@code foreach} are compared as patterns, so an entry may be left out longer than
 * necessary, but never too short.
 */
final class Deferral {
    private final Scope globals;
    private final List<TaskSpec> tasks;

    /** The writers of each group over written files. */
    private final Map<TaskSpec, List<TaskSpec>> writers = new LinkedHashMap<>();

    private final Set<TaskSpec> remaining = new LinkedHashSet<>();

    /**
     * Finds the groups of a file.
     *
     * @param known the names of tasks and groups that have written their files
     */
    Deferral(Document document, Set<String> known) {
        globals = document.globals;
        tasks = document.tasks;
        for (TaskSpec spec : tasks) {
            List<TaskSpec> found = findWriters(spec);
            if (!found.isEmpty()) {
                writers.put(spec, found);
            }
        }
        writers.forEach((group, all) -> {
            if (!all.stream().allMatch(writer -> known.contains(pattern(writer.key)))) {
                remaining.add(group);
            }
        });
        int before = -1;
        while (before < remaining.size()) {
            before = remaining.size();
            tasks.stream().filter(this::dependsOnLeft).forEach(remaining::add);
        }
    }

    /** The entries that are not left out. */
    List<TaskSpec> kept() {
        return remaining.isEmpty()
                ? tasks
                : tasks.stream().filter(spec -> !remaining.contains(spec)).toList();
    }

    boolean isNone() {
        return remaining.isEmpty();
    }

    /** The tasks and groups whose files this group iterates over; empty for any other entry. */
    List<TaskSpec> writers(TaskSpec group) {
        return writers.getOrDefault(group, List.of());
    }

    /**
     * The groups that can be made as soon as tasks of this workflow have run.
     *
     * @param trial all tasks, with one file for each pattern that fits none; entries that are left out have their numbers there
     */
    List<Deferred> deferred(WorkflowBuilder declared, Workflow trial) {
        List<Deferred> groups = new ArrayList<>();
        long[] micros = trial.bottomLevels();
        writers.forEach((group, all) -> {
            if (remaining.contains(group) && all.stream().noneMatch(remaining::contains)) {
                List<String> ids = new ArrayList<>();
                for (TaskSpec writer : all) {
                    for (int i = 0; i < writer.count; i++) {
                        ids.add(declared.id(writer.first + i));
                    }
                }
                List<String> names = all.stream().map(writer -> writer.name).toList();
                long millis = group.count == 0 ? 0 : micros[group.first] / 1_000;
                groups.add(new Deferred(pattern(group.key), String.join(", ", globs(group)), names, ids, millis));
            }
        });
        return groups;
    }

    /** The patterns of files that a group iterates over. */
    private List<String> globs(TaskSpec spec) {
        List<String> globs = new ArrayList<>();
        if (spec.foreachNode instanceof Mapping variables) {
            for (Node value : variables.values()) {
                if (value instanceof Mapping source && source.get(Foreach.GLOB) instanceof Text glob) {
                    globs.add(pattern(glob));
                }
            }
        }
        return globs;
    }

    private List<TaskSpec> findWriters(TaskSpec group) {
        List<String> globs = globs(group);
        if (globs.isEmpty()) {
            return List.of();
        }
        return tasks.stream()
                .filter(spec -> spec != group
                        && folders(spec).anyMatch(folder -> globs.stream()
                                .anyMatch(glob -> Wildcard.overlap(glob, folder + "*"))))
                .toList();
    }

    /** The folders that an entry writes; one whose name begins with a variable could be any and is not counted. */
    private Stream<String> folders(TaskSpec spec) {
        return spec.out.stream()
                .flatMap(entry ->
                        entry instanceof One one && one.folder() ? Stream.of(pattern(one.name())) : Stream.of())
                .filter(folder -> !folder.startsWith("*"))
                .map(folder -> folder.endsWith("/") ? folder : folder + "/");
    }

    private boolean dependsOnLeft(TaskSpec spec) {
        return writers(spec).stream().anyMatch(remaining::contains)
                || spec.after.stream().anyMatch(this::namesLeft)
                || Stream.concat(spec.in.stream(), spec.uses.stream())
                        .anyMatch(entry -> entry instanceof From from
                                ? namesLeft(from.tasks())
                                : entry instanceof One one && isWrittenByLeft(one));
    }

    private boolean namesLeft(Text name) {
        String named = pattern(name);
        return remaining.stream()
                .anyMatch(spec -> Wildcard.overlap(named, pattern(spec.key))
                        || (spec.foreachNode != null
                                && Wildcard.overlap(
                                        named, spec.id == null ? pattern(spec.key) + "-*" : pattern(spec.id))));
    }

    private boolean isWrittenByLeft(One file) {
        String name = pattern(file.name());
        return remaining.stream()
                .flatMap(spec -> spec.out.stream())
                .anyMatch(entry -> entry instanceof One one && Wildcard.overlap(name, pattern(one.name())));
    }

    private String pattern(Text text) {
        return pattern(text, globals);
    }

    /** A text with the variables of the file replaced; any other variable matches everything. */
    static String pattern(Text text, Scope globals) {
        try {
            return Template.fill(text, globals);
        } catch (InputException e) {
            return text.text().replaceAll("\\{[^{}]*\\}", "*");
        }
    }
}
