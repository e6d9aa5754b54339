package io.sheaf.formats.wfformat;

import io.sheaf.text.InputException;
import io.sheaf.workflow.Category;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a WfFormat file of any version into {@link Contents}.
 *
 * <p>The content decides, not the declared version. Versions 1.0 to 1.4 have one list of tasks, {@code workflow.jobs} or {@code
 * workflow.tasks}; version 1.5 has {@code workflow.specification} and, in either order, {@code workflow.execution}.
 */
final class DocumentReader {
    private final JsonCursor in;
    private final Contents into = new Contents();
    private final TaskReader tasks;
    private @Nullable String listedUnder;
    private boolean workflowSeen;

    private DocumentReader(JsonCursor in) {
        this.in = in;
        tasks = new TaskReader(in, into);
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
                    in.list(part, tasks::task);
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
                    in.list(part, tasks::task);
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
                in.list(part, tasks::execution);
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
}
