package io.sheaf.formats.wfformat;

import io.sheaf.formats.wfformat.Contents.TaskDraft;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads a WfFormat file of any version into {@link Contents}.
 *
 * <p>The content decides, not the declared version. Versions 1.0 to 1.4 have one list of tasks, {@code workflow.jobs} or {@code
 * workflow.tasks}; version 1.5 has {@code workflow.specification} and, in either order, {@code workflow.execution}.
 * A key of tasks that was renamed between versions is read under both names; the newer name wins.
 */
final class DocumentReader {
    /** WfFormat's migration to bytes took a kilobyte for this many. */
    private static final long KILOBYTE = 1000;

    private final JsonCursor in;
    private final Contents into = new Contents();
    private @Nullable String listedUnder;
    private boolean workflowSeen;

    private DocumentReader(JsonCursor in) {
        this.in = in;
    }

    static Contents read(JsonCursor in) {
        DocumentReader reader = new DocumentReader(in);
        reader.document();
        return reader.into;
    }

    private void document() {
        long place = in.place();
        in.object("the file", key -> {
            switch (key) {
                case "name" -> into.name = into.name == null ? in.string(key) : into.name;
                case "schemaVersion" -> version(key);
                case "workflow" -> workflow(key);
                default -> {}
            }
        });
        if (!workflowSeen) {
            throw new InputException("there is no 'workflow' in it; is this a WfFormat file?", place);
        }
    }

    private void version(String key) {
        long place = in.place();
        String version = in.string(key);
        if (!version.startsWith("1.")) {
            throw new InputException(
                    "version '" + version + "' of WfFormat is not supported; Sheaf reads 1.0 to 1.5", place);
        }
    }

    private void workflow(String key) {
        workflowSeen = true;
        long place = in.place();
        in.object(key, part -> {
            switch (part) {
                case "jobs", "tasks" -> {
                    structure(part);
                    in.list(part, this::task);
                }
                case "specification" -> {
                    structure(part);
                    specification(part);
                }
                case "execution" -> execution(part);
                default -> {}
            }
        });
        if (listedUnder == null) {
            throw new InputException(
                    "there are no tasks: 'workflow' has neither 'specification' nor 'tasks' nor 'jobs'", place);
        }
    }

    private void structure(String part) {
        if (listedUnder != null) {
            throw new InputException(
                    "tasks are listed in '" + listedUnder + "' and again in '" + part + "'; keep one of them",
                    in.place());
        }
        listedUnder = part;
        into.byId = part.equals("specification");
    }

    private void specification(String key) {
        long place = in.place();
        boolean[] listed = new boolean[1];
        in.object(key, part -> {
            switch (part) {
                case "tasks" -> {
                    listed[0] = true;
                    in.list(part, this::task);
                }
                case "files" -> in.list(part, this::file);
                case SheafKeys.KEY -> extra();
                default -> {}
            }
        });
        if (!listed[0]) {
            throw new InputException("there are no tasks: 'specification' has no 'tasks'", place);
        }
    }

    private void execution(String key) {
        in.object(key, part -> {
            if (part.equals("tasks")) {
                in.list(part, this::execution);
            }
        });
    }

    private void file() {
        long place = in.place();
        String[] id = new String[1];
        String[] trueName = new String[1];
        long[] size = {-1};
        in.object("files", key -> {
            switch (key) {
                case "id" -> id[0] = in.string(key);
                case "sizeInBytes" -> size[0] = in.whole(key, 1, 0, Long.MAX_VALUE);
                case SheafKeys.KEY ->
                    in.object(key, part -> {
                        if (part.equals(SheafKeys.NAME)) {
                            trueName[0] = in.string(part);
                        }
                    });
                default -> {}
            }
        });
        if (id[0] == null || id[0].isEmpty()) {
            throw new InputException("a file has no 'id'; give it a unique one", place);
        }
        into.files.listedSize(id[0], size[0], place);
        if (trueName[0] != null) {
            into.files.trueName(id[0], trueName[0]);
        }
    }

    private void extra() {
        in.object(SheafKeys.KEY, key -> {
            switch (key) {
                case SheafKeys.NAME -> into.name = in.string(key);
                case SheafKeys.CATEGORIES -> in.list(key, this::category);
                case SheafKeys.FILES -> in.list(key, this::file);
                default -> {}
            }
        });
    }

    private void category() {
        long place = in.place();
        String[] name = new String[1];
        String[] container = new String[1];
        List<String> setup = new ArrayList<>();
        in.object(SheafKeys.CATEGORIES, key -> {
            switch (key) {
                case SheafKeys.NAME -> name[0] = in.string(key);
                case SheafKeys.SETUP -> setup.addAll(in.strings(key));
                case SheafKeys.CONTAINER -> container[0] = in.string(key);
                default -> {}
            }
        });
        if (name[0] == null) {
            throw new InputException("a category has no 'name'; give it one", place);
        }
        into.categories.add(new Category(name[0], setup, container[0]));
    }

    private void task() {
        TaskDraft draft = into.newTask(in.place());
        in.object("tasks", key -> {
            switch (key) {
                case "id" -> draft.id = into.edges.shared(in.string(key));
                case "name" -> draft.name = in.string(key);
                case "category" -> draft.category = into.shared(in.string(key));
                case "parents" -> links(into.edges, draft, key, true);
                case "children" -> links(into.edges, draft, key, false);
                case "inputFiles" -> links(into.files.uses, draft, key, true);
                case "outputFiles" -> links(into.files.uses, draft, key, false);
                case "files" -> in.list(key, () -> file(draft));
                case "arguments" -> draft.performance().arguments = in.strings(key);
                case SheafKeys.KEY -> extra(draft);
                default -> performance(key, draft);
            }
        });
        if (into.byId ? draft.id == null : draft.id == null && draft.name == null) {
            throw new InputException(
                    "a task has no '" + (into.byId ? "id" : "name") + "'; give it a unique one", draft.place);
        }
        if (draft.name != null) {
            // Names are mostly shared by many tasks or equal to the id: stored once.
            draft.name = draft.name.equals(draft.id) ? draft.id : into.shared(draft.name);
        }
    }

    private void execution() {
        long place = in.place();
        Performance performance = new Performance();
        String[] id = new String[1];
        in.object("tasks", key -> {
            if (key.equals("id")) {
                id[0] = in.string(key);
            } else {
                performance(key, performance);
            }
        });
        if (id[0] == null) {
            throw new InputException("an entry in 'execution' has no 'id'; give it that of its task", place);
        }
        into.execution(id[0], new Contents.Execution(performance, place));
    }

    private void links(TaskLinks links, TaskDraft draft, String key, boolean incoming) {
        in.list(key, () -> {
            String word = in.string(key);
            // The schema allows empty ids here; they are ignored.
            if (!word.isEmpty()) {
                links.add(draft.number, word, incoming, in.place());
            }
        });
    }

    /** A file of a task, before version 1.5. */
    private void file(TaskDraft draft) {
        long place = in.place();
        String[] name = new String[1];
        String[] link = new String[1];
        long[] size = {Workflow.UNKNOWN};
        in.object("files", key -> {
            switch (key) {
                case "name" -> name[0] = in.string(key);
                case "link" -> link[0] = in.string(key);
                case "size" -> size[0] = size[0] < 0 ? in.whole(key, 1, 0, Long.MAX_VALUE) : size[0];
                case "sizeInBytes" -> size[0] = in.whole(key, 1, 0, Long.MAX_VALUE);
                default -> {}
            }
        });
        if (name[0] == null || name[0].isEmpty()) {
            throw new InputException("a file has no 'name'; give it one", place);
        }
        if (!"input".equals(link[0]) && !"output".equals(link[0])) {
            throw new InputException("the 'link' of file '" + name[0] + "' must be \"input\" or \"output\"", place);
        }
        into.files.firstSize(name[0], size[0]);
        into.files.uses.add(draft.number, name[0], link[0].equals("input"), place);
    }

    private void performance(String key, TaskDraft draft) {
        Performance performance = draft.performance == null ? new Performance() : draft.performance;
        if (performance(key, performance)) {
            draft.performance = performance;
        }
    }

    /** Reads the value if the key is one of these. Returns whether it is. */
    private boolean performance(String key, Performance performance) {
        switch (key) {
            case "runtime" -> {
                if (performance.timePlace == 0) {
                    time(key, performance);
                }
            }
            case "runtimeInSeconds" -> time(key, performance);
            case "cores" ->
                performance.cores = performance.cores == Performance.UNSET ? in.whole(key, 1) : performance.cores;
            case "coreCount" -> performance.cores = in.whole(key, 1);
            case "memory" -> {
                if (performance.memory == Performance.UNSET) {
                    performance.memory = in.whole(key, KILOBYTE, 0, Long.MAX_VALUE);
                }
            }
            case "memoryInBytes" -> performance.memory = in.whole(key, 1, 0, Long.MAX_VALUE);
            case "priority" -> performance.priority = in.whole(key, Integer.MIN_VALUE);
            case "command" ->
                in.object(key, part -> {
                    switch (part) {
                        case "program" -> performance.program = into.shared(in.string(part));
                        case "arguments" -> performance.arguments = in.strings(part);
                        default -> {}
                    }
                });
            default -> {
                return false;
            }
        }
        return true;
    }

    private void time(String key, Performance performance) {
        performance.timePlace = in.place();
        performance.time = in.seconds(key);
    }

    /** Reads Sheaf's extensions of the format. */
    private void extra(TaskDraft draft) {
        Performance performance = draft.performance();
        in.object(SheafKeys.KEY, key -> {
            switch (key) {
                case SheafKeys.ID -> draft.trueId = in.string(key);
                case SheafKeys.CATEGORY -> draft.category = in.string(key);
                case SheafKeys.LIMIT -> {
                    performance.limitPlace = in.place();
                    performance.limit = in.seconds(key);
                }
                case SheafKeys.SHARE -> {
                    performance.sharePlace = in.place();
                    performance.share = in.coreShare(key);
                }
                case SheafKeys.GPUS -> performance.gpus = in.whole(key, 0);
                case SheafKeys.RESOURCES ->
                    in.object(key, name -> performance.named.put(name, in.whole(name, 1, 0, Long.MAX_VALUE)));
                case SheafKeys.NODES -> performance.nodes = in.whole(key, 1);
                case SheafKeys.RETRIES -> performance.retries = in.whole(key, 0);
                case SheafKeys.RETRY -> performance.retry = in.string(key);
                case SheafKeys.ARGV -> performance.argv = in.strings(key);
                case SheafKeys.ENVIRONMENT -> performance.environment = environment(key);
                case SheafKeys.SCALING -> performance.scaling = scaling(key);
                default -> performance(key, draft);
            }
        });
    }

    private Map<String, String> environment(String key) {
        Map<String, String> variables = new LinkedHashMap<>();
        in.object(key, variable -> variables.put(variable, in.string(variable)));
        return variables;
    }

    private @Nullable Scaling scaling(String key) {
        long place = in.place();
        Map<Integer, Long> table = new TreeMap<>();
        in.list(key, () -> {
            int[] cores = {0};
            long[] time = {Workflow.UNKNOWN};
            in.object(key, part -> {
                switch (part) {
                    case "coreCount" -> cores[0] = in.whole(part, 1);
                    case "runtimeInSeconds" -> time[0] = in.seconds(part);
                    default -> {}
                }
            });
            if (cores[0] < 1 || time[0] < 0 || table.put(cores[0], time[0]) != null) {
                throw new InputException(
                        "'" + key + "' must have one 'runtimeInSeconds' of 0 or more for each 'coreCount'", place);
            }
        });
        return table.isEmpty() ? null : new Scaling(table);
    }
}
