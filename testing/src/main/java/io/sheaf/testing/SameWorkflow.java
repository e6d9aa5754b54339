package io.sheaf.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Compares two workflows in everything that a reader of a workflow can see. */
public final class SameWorkflow {
    private SameWorkflow() {}

    /** Fails, naming the first difference, unless all tasks with all their properties, edges and files are equal. */
    public static void assertSame(Workflow expected, Workflow actual) {
        assertThat(actual.name()).as("name").isEqualTo(expected.name());
        assertThat(ids(actual)).as("tasks").isEqualTo(ids(expected));
        assertThat(actual.edges()).as("edges").isEqualTo(expected.edges());
        for (int task = 0; task < expected.size(); task++) {
            assertThat(describe(actual, task)).as("task " + expected.id(task)).isEqualTo(describe(expected, task));
        }
        assertThat(files(actual)).as("files").isEqualTo(files(expected));
    }

    /** Everything about one task by names, independent of how files and categories are numbered. */
    public static String describe(Workflow w, int task) {
        return String.join(
                "\n",
                "id " + w.id(task),
                "category " + w.category(task),
                "time " + w.timeMicros(task),
                "limit " + w.limitMicros(task),
                "scaling " + w.scaling(task),
                "resources " + w.resources(task),
                "retries " + w.retries(task),
                "priority " + w.priority(task),
                "command " + w.command(task),
                "parents " + names(w.parents(task), i -> w.id(w.parent(task, i))),
                "children " + names(w.children(task), i -> w.id(w.child(task, i))),
                "inputs " + names(w.inputs(task), i -> w.fileName(w.input(task, i))),
                "outputs " + names(w.outputs(task), i -> w.fileName(w.output(task, i))),
                "level " + w.level(task));
    }

    private static List<String> names(int count, IntFunction<String> name) {
        return IntStream.range(0, count).mapToObj(name).toList();
    }

    private static List<String> ids(Workflow w) {
        List<String> ids = new ArrayList<>();
        for (int task = 0; task < w.size(); task++) {
            ids.add(w.id(task));
        }
        return ids;
    }

    private static Map<String, Long> files(Workflow w) {
        Map<String, Long> sizes = new TreeMap<>();
        for (int file = 0; file < w.files(); file++) {
            sizes.put(w.fileName(file), w.fileSize(file));
        }
        return sizes;
    }
}
