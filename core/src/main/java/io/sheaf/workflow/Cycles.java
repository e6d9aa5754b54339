package io.sheaf.workflow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Finds a cycle for an error message. */
final class Cycles {
    private Cycles() {}

    /** The tasks of one cycle, each before the one that waits for it, starting at the one with the lowest number. */
    static List<Integer> find(Adjacency parents, Levels levels) {
        int tasks = parents.start.length - 1;
        boolean[] done = new boolean[tasks];
        for (int task : levels.order) {
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
            task = openParent(parents, done, task);
        }
        List<Integer> cycle = new ArrayList<>(walk.subList(step[task], walk.size()));
        Collections.reverse(cycle);
        Collections.rotate(cycle, -cycle.indexOf(Collections.min(cycle)));
        return cycle;
    }

    private static int openParent(Adjacency parents, boolean[] done, int task) {
        int at = parents.start[task];
        while (done[parents.values[at]]) {
            at++;
        }
        return parents.values[at];
    }
}
