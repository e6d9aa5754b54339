package io.sheaf.platform;

import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * How many children each task has where an edge counts only if no path led from the one task to the other when it was added.
 *
 * <p>That is how the published study built its graphs: task after task in the order of the file, the edges that its files make, then
 * all other edges. The order decides which edges count.
 */
final class ChildCounts {
    private final Workflow workflow;
    private final List<int[]> children = new ArrayList<>();
    private final List<int[]> parents = new ArrayList<>();
    private final int[] childCount;
    private final int[] parentCount;
    /** Marks the tasks that a search has seen, with the number of the search: positive from above, negative from below. */
    private final int[] seen;

    private int searches;
    private final int[] above;
    private final int[] below;

    private ChildCounts(Workflow workflow) {
        this.workflow = workflow;
        int size = workflow.size();
        childCount = new int[size];
        parentCount = new int[size];
        seen = new int[size];
        above = new int[size];
        below = new int[size];
        for (int task = 0; task < size; task++) {
            children.add(new int[2]);
            parents.add(new int[2]);
        }
    }

    static int[] of(Workflow workflow) {
        ChildCounts counts = new ChildCounts(workflow);
        if (workflow.fileEdges()) {
            counts.addFileEdges();
        }
        for (int task = 0; task < workflow.size(); task++) {
            for (int i = 0; i < workflow.parents(task); i++) {
                counts.add(workflow.parent(task, i), task);
            }
        }
        return counts.childCount;
    }

    private void addFileEdges() {
        int files = workflow.files();
        int[] producer = new int[files];
        Arrays.fill(producer, -1);
        List<List<Integer>> consumers = new ArrayList<>();
        for (int file = 0; file < files; file++) {
            consumers.add(new ArrayList<>(1));
        }
        for (int task = 0; task < workflow.size(); task++) {
            for (int i = 0; i < workflow.inputs(task); i++) {
                int file = workflow.input(task, i);
                consumers.get(file).add(task);
                if (producer[file] >= 0) {
                    add(producer[file], task);
                }
            }
            for (int i = 0; i < workflow.outputs(task); i++) {
                int file = workflow.output(task, i);
                producer[file] = task;
                List<Integer> known = new ArrayList<>(consumers.get(file));
                known.sort(Comparator.comparing(workflow::id, Scenario.BY_BYTES));
                for (int consumer : known) {
                    add(task, consumer);
                }
            }
        }
    }

    private void add(int parent, int child) {
        if (workflow.level(parent) < workflow.level(child) && !reaches(parent, child)) {
            children.set(parent, append(children.get(parent), childCount[parent]++, child));
            parents.set(child, append(parents.get(child), parentCount[child]++, parent));
        }
    }

    private static int[] append(int[] list, int size, int value) {
        int[] longer = size == list.length ? Arrays.copyOf(list, 2 * size) : list;
        longer[size] = value;
        return longer;
    }

    /** Searches from both ends, one task at a time on the side with fewer edges to follow; levels bound both searches. */
    private boolean reaches(int from, int to) {
        searches++;
        int aboveSize = 1;
        int belowSize = 1;
        above[0] = from;
        below[0] = to;
        seen[from] = searches;
        seen[to] = -searches;
        while (aboveSize > 0 && belowSize > 0) {
            int down = above[aboveSize - 1];
            int up = below[belowSize - 1];
            if (childCount[down] <= parentCount[up]) {
                aboveSize = expand(children.get(down), childCount[down], above, aboveSize - 1, searches, from, to);
                if (aboveSize < 0) {
                    return true;
                }
            } else {
                belowSize = expand(parents.get(up), parentCount[up], below, belowSize - 1, -searches, from, to);
                if (belowSize < 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Pushes the neighbours that may lie between and returns the stack's size, or −1 if the searches met. */
    private int expand(int[] neighbours, int count, int[] stack, int size, int mark, int from, int to) {
        int low = workflow.level(from);
        int high = workflow.level(to);
        int next = size;
        for (int i = 0; i < count; i++) {
            int task = neighbours[i];
            if (seen[task] == -mark) {
                return -1;
            }
            int level = workflow.level(task);
            if (seen[task] != mark && level > low && level < high) {
                seen[task] = mark;
                stack[next++] = task;
            }
        }
        return next;
    }
}
