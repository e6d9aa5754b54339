package io.sheaf.strategy;

import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Reference implementation of greedy list scheduling, without optimizations. */
final class PlainListScheduler {
    private record Running(int task, List<Integer> nodes) {}

    private final Workflow workflow;
    private final List<Integer> order = new ArrayList<>();
    /** Whether a ready task ever had to wait. */
    boolean waited;

    PlainListScheduler(Workflow workflow, TaskOrder taskOrder, Resources node) {
        this.workflow = workflow;
        int[] ranks = taskOrder.ranks(workflow, node);
        for (int rank = 0; rank < ranks.length; rank++) {
            for (int task = 0; task < ranks.length; task++) {
                if (ranks[task] == rank) {
                    order.add(task);
                }
            }
        }
    }

    long makespan(int firstLevel, int lastLevel, int nodes, Resources node, BitSet done) {
        waited = false;
        List<Integer> left = new ArrayList<>(order);
        left.removeIf(t -> done.get(t) || workflow.level(t) < firstLevel || workflow.level(t) > lastLevel);
        Set<Integer> unfinished = new HashSet<>(left);
        List<Resources> free = new ArrayList<>(Collections.nCopies(nodes, node.cores(node.cores() + 1)));
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
                    places.forEach(at -> count(free, at, workflow.resources(task), -1));
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
                ended.nodes.forEach(at -> count(free, at, workflow.resources(ended.task), 1));
            }
        }
    }

    /** Free cores are counted with one more, because a node has at least one. */
    private static void count(List<Resources> free, int at, Resources needed, int sign) {
        Resources f = free.get(at);
        long licences = f.named().amount("licence") + sign * needed.named().amount("licence");
        free.set(
                at,
                new Resources(
                        f.cores() + sign * needed.cores(),
                        f.memory() == Resources.UNCOUNTED ? f.memory() : f.memory() + sign * needed.memory(),
                        f.gpus() + sign * needed.gpus(),
                        1,
                        0,
                        NamedAmounts.of(Map.of("licence", licences))));
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
    private List<Integer> places(int task, List<Resources> free) {
        Resources needed = workflow.resources(task);
        List<Integer> found = new ArrayList<>();
        for (int node = 0; node < free.size() && found.size() < needed.nodes(); node++) {
            Resources available = free.get(node);
            if (available.cores() - 1 >= needed.cores()
                    && available.memory() >= needed.memory()
                    && available.gpus() >= needed.gpus()
                    && available.named().amount("licence") >= needed.named().amount("licence")) {
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
