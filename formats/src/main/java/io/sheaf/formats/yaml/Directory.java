package io.sheaf.formats.yaml;

import io.sheaf.formats.yaml.FileEntry.One;
import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import io.sheaf.workflow.BinarySearch;
import io.sheaf.workflow.WorkflowBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Finds tasks and groups by name, and the files that they write. */
final class Directory {
    private static final int MAX_HINTS = 10_000;

    private final WorkflowBuilder builder;
    private final Scope globals;
    private final Budget budget;
    /** In the order of their tasks' numbers. */
    private final List<TaskSpec> specs;

    private final Map<String, TaskSpec> groups = new HashMap<>();
    private final Map<TaskSpec, List<String>> writtenByGroup = new HashMap<>();
    private final Map<String, List<String>> matching = new HashMap<>();

    Directory(WorkflowBuilder builder, Scope globals, Budget budget, List<TaskSpec> specs) {
        this.builder = builder;
        this.globals = globals;
        this.budget = budget;
        this.specs = specs;
    }

    void add(TaskSpec group) {
        if (groups.put(group.name, group) != null) {
            throw new InputException("'" + group.name + "' is declared twice; names must differ", group.key.place());
        }
    }

    /** Refuses groups that are called as some task is. */
    void checkNames() {
        for (TaskSpec spec : specs) {
            if (spec.foreach != null && builder.find(spec.name) >= 0) {
                throw new InputException(
                        "'" + spec.name + "' names both a task and a group of tasks; rename one", spec.key.place());
            }
        }
    }

    /** Some tasks with successive numbers. */
    record TaskRange(TaskSpec spec, int first, int count) {}

    /** The group or the task of this name, which another task refers to. */
    TaskRange find(String name, TaskSpec from, long place) {
        TaskSpec group = groups.get(name);
        if (group == from) {
            throw new InputException(
                    "a task of '" + name + "' would wait for all tasks of '" + name + "', including itself", place);
        }
        if (group != null) {
            return new TaskRange(group, group.first, group.count);
        }
        int task = builder.find(name);
        if (task < 0) {
            List<String> names =
                    specs.stream().limit(MAX_HINTS).map(spec -> spec.name).toList();
            throw new InputException(
                    "'" + from.name + "' refers to '" + name + "', but there is no task or group '" + name + "'."
                            + Nearest.hint(name, names),
                    place);
        }
        return new TaskRange(BinarySearch.holding(specs, spec -> spec.first, task), task, 1);
    }

    /** The names of all files that these tasks write. */
    List<String> written(TaskRange found) {
        if (found.count == found.spec.count) {
            List<String> known = writtenByGroup.get(found.spec);
            if (known == null) {
                known = collect(found);
                writtenByGroup.put(found.spec, known);
            }
            return known;
        }
        return collect(found);
    }

    private List<String> collect(TaskRange found) {
        TaskSpec spec = found.spec;
        Scope scope = spec.foreach == null ? globals.copy() : globals.with(spec.foreach);
        List<String> names = new ArrayList<>();
        for (int task = found.first; task < found.first + found.count; task++) {
            scope.row(task - spec.first);
            for (FileEntry entry : spec.out) {
                if (entry instanceof One one) {
                    String filled = name(one, scope);
                    budget.add(Budget.OBJECT + filled.length(), one.name().place());
                    names.add(filled);
                }
            }
        }
        return names;
    }

    /** The name of a file; that of a folder ends with a slash. */
    static String name(One file, Scope scope) {
        long place = file.name().place();
        String name = Template.fill(file.name(), scope);
        if (name.isEmpty()) {
            throw new InputException("a file name is empty; give one", place);
        }
        if (!file.folder()) {
            return name;
        }
        String folder = Path.of(name).normalize() + "/";
        // The folder is emptied before each attempt.
        if (!isFolder(folder)) {
            throw new InputException("'" + name + "' must be a folder below the working folder", place);
        }
        return folder;
    }

    /** Whether this names a folder below the working folder, in its shortest form and with a slash at the end. */
    static boolean isFolder(String name) {
        if (name.length() < 2 || !name.endsWith("/") || name.indexOf('\0') >= 0) {
            return false;
        }
        Path path = Path.of(name).normalize();
        return !path.isAbsolute() && !path.startsWith("..") && name.equals(path + "/");
    }

    /** The files that fit a pattern: those that other tasks write, and those that exist. */
    List<String> matching(String pattern, TaskSpec from, long place) {
        List<String> known = matching.get(pattern);
        if (known == null) {
            Set<String> names = new TreeSet<>(globals.found().matching(pattern, place));
            for (TaskSpec spec : specs) {
                for (String name : written(new TaskRange(spec, spec.first, spec.count))) {
                    if (Wildcard.fits(pattern, name) && slashes(name) == slashes(pattern)) {
                        names.add(name);
                    }
                }
            }
            known = List.copyOf(names);
            matching.put(pattern, known);
        }
        List<String> own = written(new TaskRange(from, from.first, from.count));
        List<String> suggestions = own.isEmpty()
                ? known
                : known.stream().filter(name -> !own.contains(name)).toList();
        if (suggestions.isEmpty()) {
            throw new InputException(
                    "no file fits '" + pattern + "', neither in "
                            + globals.found().shownFolder() + " nor among the outputs of tasks",
                    place);
        }
        budget.add((long) Budget.LINK * suggestions.size(), place);
        return suggestions;
    }

    private static long slashes(String name) {
        return name.chars().filter(c -> c == '/').count();
    }
}
