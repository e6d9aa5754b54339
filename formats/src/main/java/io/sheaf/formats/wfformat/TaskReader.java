package io.sheaf.formats.wfformat;

import io.sheaf.text.InputException;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.Workflow;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads one task: its description (all versions) and its execution (version 1.5).
 *
 * <p>A key that was renamed between versions is read under both names; the newer name wins.
 */
record TaskReader(JsonCursor in, Contents into) {
    /** WfFormat's migration to bytes took a kilobyte for this many. */
    private static final long KILOBYTE = 1000;

    void task() {
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

    void execution() {
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
