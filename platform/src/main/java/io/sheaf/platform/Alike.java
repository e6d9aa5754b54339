package io.sheaf.platform;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The criteria that would have decided everything just as those in force did, since they were first looked at.
 *
 * <p>An algorithm of such criteria alone would have led to the very same run, so that run is its simulation, too. A criterion that would
 * once have decided otherwise is looked at no more, and most are gone after a few decisions.
 */
final class Alike {
    /** The ready tasks in the order of each criterion. */
    private final Map<TaskCriterion, ReadySet> tasks = new LinkedHashMap<>();

    private final List<ClusterCriterion> clusters = new ArrayList<>();
    private final List<CoreCriterion> cores = new ArrayList<>();
    /** The value of a cluster by each criterion, as it was asked for. */
    private final Map<ClusterCriterion, Double> values = new LinkedHashMap<>();

    /** Looks at the criteria of some algorithms from now on. */
    void watch(Simulation simulation, List<Algorithm> algorithms) {
        Scenario scenario = simulation.scenario();
        for (Algorithm algorithm : algorithms) {
            tasks.computeIfAbsent(algorithm.tasks(), criterion -> {
                ReadySet ready = new ReadySet(scenario.size());
                ready.copy(simulation.ready());
                ready.order(scenario.rank(criterion));
                return ready;
            });
            if (!clusters.contains(algorithm.clusters())) {
                clusters.add(algorithm.clusters());
            }
            if (!cores.contains(algorithm.cores())) {
                cores.add(algorithm.cores());
            }
        }
    }

    /** Whether an algorithm that is looked at would have led to the same run. */
    boolean has(Algorithm algorithm) {
        return tasks.containsKey(algorithm.tasks())
                && clusters.contains(algorithm.clusters())
                && cores.contains(algorithm.cores());
    }

    void ready(int task) {
        for (ReadySet ready : tasks.values()) {
            ready.add(task);
        }
    }

    void scheduled(int task) {
        for (ReadySet ready : tasks.values()) {
            ready.remove(task);
        }
    }

    /** This ready task was picked as the first of all. */
    void pickedFirst(int task) {
        if (!tasks.isEmpty()) {
            tasks.values().removeIf(ready -> ready.from(0) != task);
        }
    }

    /** This ready task was picked as the next after another, which may be scheduled by now. */
    void pickedNext(int previous, int task) {
        if (!tasks.isEmpty()) {
            tasks.values().removeIf(ready -> ready.from(ready.rank(previous) + 1) != task);
        }
    }

    /** Gives the cluster that a criterion would choose. */
    @FunctionalInterface
    interface Choice {
        int cluster(ClusterCriterion criterion);
    }

    void choseCluster(int cluster, Choice choice) {
        if (!clusters.isEmpty()) {
            clusters.removeIf(criterion -> choice.cluster(criterion) != cluster);
        }
    }

    /** A cluster is looked for in this way, which takes other messages than another way. */
    void asks(ClusterCriterion.Asking asking) {
        if (!clusters.isEmpty()) {
            clusters.removeIf(criterion -> criterion.asking() != asking);
        }
    }

    /** A cluster was asked how good it is for a task. */
    void askedValue(PlatformView view, int task, int cluster) {
        for (ClusterCriterion criterion : clusters) {
            values.put(criterion, criterion.value(view, task, cluster));
        }
    }

    /** The best cluster so far was asked, too, and was found worse or not. */
    void askedBest(PlatformView view, int task, int best, boolean worse) {
        if (!clusters.isEmpty()) {
            clusters.removeIf(criterion ->
                    values.getOrDefault(criterion, Double.NaN) > criterion.value(view, task, best) != worse);
        }
    }

    void choseCores(Scenario scenario, int task, int most, int count) {
        if (!cores.isEmpty()) {
            cores.removeIf(criterion -> criterion.cores(scenario, task, most) != count);
        }
    }
}
