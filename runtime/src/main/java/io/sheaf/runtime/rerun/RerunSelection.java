package io.sheaf.runtime.rerun;

import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import io.sheaf.workflow.Workflow;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The user's explicit rerun selection: names of tasks, or of categories for all of their tasks.
 *
 * @param rerun tasks to run again; {@link #ALL} selects all
 * @param from tasks to run again while their ancestors are kept unchecked
 */
public record RerunSelection(List<String> rerun, List<String> from) {
    public static final String ALL = "all";

    /** No explicit selection. */
    public static final RerunSelection NONE = new RerunSelection(List.of(), List.of());

    public RerunSelection {
        rerun = List.copyOf(rerun);
        from = List.copyOf(from);
    }

    /** Whether a workflow has a task or a category of this name. */
    public static boolean exists(Workflow workflow, String name) {
        return workflow.find(name) >= 0 || !ofCategory(workflow, name).isEmpty();
    }

    BitSet toRun(Workflow workflow) {
        BitSet tasks = tasks(workflow, from);
        if (rerun.contains(ALL)) {
            tasks.set(0, workflow.size());
            return tasks;
        }
        tasks.or(tasks(workflow, rerun));
        return tasks;
    }

    /** The tasks to keep: all ancestors of the {@code from} tasks, without these themselves. */
    BitSet toKeep(Workflow workflow) {
        BitSet starts = tasks(workflow, from);
        BitSet before = new BitSet();
        for (int i = workflow.size() - 1; i >= 0; i--) {
            int task = workflow.inOrder(i);
            for (int c = 0; c < workflow.children(task); c++) {
                int child = workflow.child(task, c);
                if (before.get(child) || starts.get(child)) {
                    before.set(task);
                }
            }
        }
        before.andNot(starts);
        return before;
    }

    private static BitSet tasks(Workflow workflow, List<String> names) {
        BitSet found = new BitSet();
        for (String name : names) {
            int task = workflow.find(name);
            if (task >= 0) {
                found.set(task);
                continue;
            }
            BitSet members = ofCategory(workflow, name);
            if (members.isEmpty()) {
                throw new InputException("there is no task '" + name + "', nor tasks of such a category."
                        + Nearest.hint(
                                name,
                                IntStream.range(0, workflow.size())
                                        .mapToObj(workflow::id)
                                        .toList()));
            }
            found.or(members);
        }
        return found;
    }

    private static BitSet ofCategory(Workflow workflow, String name) {
        BitSet found = new BitSet();
        IntStream.range(0, workflow.size())
                .filter(task -> workflow.category(task).name().equals(name))
                .forEach(found::set);
        return found;
    }
}
