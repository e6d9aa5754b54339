package io.sheaf.strategy;

import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** Greedy list scheduling written as it is defined: lists of tasks, a node at a time, no cleverness. */
final class PlainListScheduler {
    private record Running(int task, List<Integer> nodes) {}

    private final Workflow workflow;
    private final List<Integer> order = new ArrayList<>();
    /** Whether a ready task ever had to wait. */
    boolean waited;

    PlainListScheduler(Workflow workflow, TaskOrder taskOrder) {
        this.workflow = workflow;
        int[] ranks = taskOrder.ranks(workflow);
        for (int rank = 0; rank < ranks.length; rank++) {
            for (int task = 0; task < ranks.length; task++) {
                if (ranks[task] == rank) {
                    order.add(task);
                }
            }
        }
    }

    long makespan(int firstLevel, int lastLevel, int nodes, int cores, BitSet done) {
        waited = false;
        List<Integer> left = new ArrayList<>(order);
        left.removeIf(t -> done.get(t) || workflow.level(t) < firstLevel || workflow.level(t) > lastLevel);
        Set<Integer> unfinished = new HashSet<>(left);
        int[] free = new int[nodes];
        Arrays.fill(free, cores);
        TreeMap<Long, List<Running>> ends = new TreeMap<>();
        long now = 0;
        while (true) {
            for (int task : List.copyOf(left)) {
                if (isReady(task, unfinished)) {
                    List<Integer> places = places(task, free);
                    if (places.isEmpty()) {
                        waited = true;
                        continue;
                    }
                    left.removeIf(other -> other == task);
                    places.forEach(
                            node -> free[node] -= workflow.resources(task).cores());
                    ends.computeIfAbsent(now + millis(task), t -> new ArrayList<>())
                            .add(new Running(task, places));
                }
            }
            if (ends.isEmpty()) {
                return now;
            }
            now = ends.firstKey();
            for (Running ended : ends.pollFirstEntry().getValue()) {
                unfinished.remove(ended.task);
                ended.nodes.forEach(
                        node -> free[node] += workflow.resources(ended.task).cores());
            }
        }
    }

    private boolean isReady(int task, Set<Integer> unfinished) {
        for (int i = 0; i < workflow.parents(task); i++) {
            if (unfinished.contains(workflow.parent(task, i))) {
                return false;
            }
        }
        return true;
    }

    /** The first nodes with enough free cores, or nothing if there are too few of them. */
    private List<Integer> places(int task, int[] free) {
        Resources needed = workflow.resources(task);
        List<Integer> found = new ArrayList<>();
        for (int node = 0; node < free.length && found.size() < needed.nodes(); node++) {
            if (free[node] >= needed.cores()) {
                found.add(node);
            }
        }
        return found.size() == needed.nodes() ? found : List.of();
    }

    private long millis(int task) {
        return workflow.timeMicros(task) == Workflow.UNKNOWN
                ? 0
                : (long) Math.ceil(workflow.timeMicros(task) / 1_000.0);
    }
}
