package io.sheaf.workflow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The levels of a workflow: a task's level is the longest hop count from an entry task.
 *
 * <p>Computed by Kahn's algorithm, which also finds cycles. Tasks by level, then by number, are in topological order.
 */
final class Levels {
    final int[] level;
    /** Level l holds order[start[l]] … order[start[l + 1] − 1]. */
    final int[] start;

    final int[] order;

    private Levels(int[] level, int[] start, int[] order) {
        this.level = level;
        this.start = start;
        this.order = order;
    }

    /** The levels. Tasks on or behind a cycle are missing from the order, which is then shorter than the number of tasks. */
    static Levels of(Adjacency parents, Adjacency children) {
        int tasks = parents.start.length - 1;
        int[] missing = new int[tasks];
        int[] level = new int[tasks];
        int[] order = new int[tasks];
        int tail = 0;
        for (int task = 0; task < tasks; task++) {
            missing[task] = parents.degree(task);
            if (missing[task] == 0) {
                order[tail++] = task;
            }
        }
        int deepest = -1;
        for (int head = 0; head < tail; head++) {
            int task = order[head];
            deepest = Math.max(deepest, level[task]);
            for (int i = children.start[task]; i < children.start[task + 1]; i++) {
                int child = children.values[i];
                level[child] = Math.max(level[child], level[task] + 1);
                if (--missing[child] == 0) {
                    order[tail++] = child;
                }
            }
        }
        if (tail < tasks) {
            return new Levels(level, new int[0], Arrays.copyOf(order, tail));
        }
        return byLevel(level, deepest + 1);
    }

    /** These levels, which are known. */
    static Levels of(int[] level) {
        return byLevel(level, Arrays.stream(level).max().orElse(-1) + 1);
    }

    /** The tasks of a cycle if there is one, each before the one that waits for it, starting at the one with the lowest number. */
    List<Integer> cycle(Adjacency parents) {
        int tasks = parents.start.length - 1;
        boolean[] done = new boolean[tasks];
        for (int task : order) {
            done[task] = true;
        }
        int task = 0;
        while (done[task]) {
            task++;
        }
        // Every task that was not peeled off has a parent that was not either, so going up must come back.
        int[] step = new int[tasks];
        Arrays.fill(step, -1);
        List<Integer> walk = new ArrayList<>();
        while (step[task] < 0) {
            step[task] = walk.size();
            walk.add(task);
            int at = parents.start[task];
            while (done[parents.values[at]]) {
                at++;
            }
            task = parents.values[at];
        }
        List<Integer> cycle = new ArrayList<>(walk.subList(step[task], walk.size()));
        Collections.reverse(cycle);
        Collections.rotate(cycle, -cycle.indexOf(Collections.min(cycle)));
        return cycle;
    }

    private static Levels byLevel(int[] level, int levels) {
        int[] start = new int[levels + 1];
        for (int l : level) {
            start[l + 1]++;
        }
        for (int l = 0; l < levels; l++) {
            start[l + 1] += start[l];
        }
        int[] next = Arrays.copyOf(start, levels);
        int[] order = new int[level.length];
        for (int task = 0; task < level.length; task++) {
            order[next[level[task]]++] = task;
        }
        return new Levels(level, start, order);
    }
}
