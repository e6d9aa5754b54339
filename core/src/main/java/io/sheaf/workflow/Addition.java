package io.sheaf.workflow;

import io.sheaf.text.InputException;
import java.util.Arrays;

/**
 * Tasks to add to a workflow, with edges among them and from existing tasks. A value.
 *
 * <p>Existing tasks keep their numbers, parents and levels; new ones get the next numbers in order. Edges are explicit: none follows from
 * files.
 */
public final class Addition {
    private final Origin origin;
    private final Workflow tasks;
    private final int[] parents;
    private final int[] children;

    private Addition(Origin origin, Workflow tasks, int[] parents, int[] children) {
        this.origin = origin;
        this.tasks = tasks;
        this.parents = parents;
        this.children = children;
    }

    /** Tasks without dependencies on existing ones. */
    public static Addition of(Origin origin, Workflow tasks) {
        return new Addition(origin, tasks, new int[0], new int[0]);
    }

    /** The same with an edge from an existing task to one of these, given by its number among these. */
    public Addition after(int predecessor, int added) {
        if (predecessor < 0 || added < 0 || added >= tasks.size()) {
            throw new IllegalArgumentException("an edge from " + predecessor + " to added task " + added);
        }
        int[] from = Arrays.copyOf(parents, parents.length + 1);
        int[] to = Arrays.copyOf(children, children.length + 1);
        from[parents.length] = predecessor;
        to[children.length] = added;
        return new Addition(origin, tasks, from, to);
    }

    public Origin origin() {
        return origin;
    }

    /** The tasks that are added, as a workflow of their own. */
    public Workflow tasks() {
        return tasks;
    }

    /** The number of edges from existing tasks. */
    public int edges() {
        return parents.length;
    }

    /** Where the index-th of these edges begins. */
    public int parent(int index) {
        return parents[index];
    }

    /** Where the index-th of these edges ends, by its number among the added tasks. */
    public int child(int index) {
        return children[index];
    }

    /** Rejects a duplicate id, and an edge from a task that does not exist. */
    public void check(Workflow workflow) {
        for (int task = 0; task < tasks.size(); task++) {
            if (workflow.find(tasks.id(task)) >= 0) {
                throw new InputException("duplicate task '" + tasks.id(task) + "' already; ids must differ");
            }
        }
        for (int parent : parents) {
            if (parent >= workflow.size()) {
                throw new InputException("no task has number " + parent + " to depend on");
            }
        }
    }
}
