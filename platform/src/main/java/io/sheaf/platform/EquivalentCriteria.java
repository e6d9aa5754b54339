package io.sheaf.platform;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * The criteria that would have made the same decisions as the current ones, since they are watched.
 *
 * <p>The run is also the simulation of an algorithm that consists of such criteria. A criterion that would have decided differently is
 * dropped; most are dropped after a few decisions.
 */
final class EquivalentCriteria {
    /** The ready tasks in the order of each criterion. */
    private final Map<TaskCriterion, RankedReadyTasks> tasks = new LinkedHashMap<>();

    private final List<ClusterCriterion> clusters = new ArrayList<>();
    private final List<CoreCriterion> cores = new ArrayList<>();
    /** The value of a cluster by each criterion at the time of the query. */
    private final Map<ClusterCriterion, Double> values = new LinkedHashMap<>();

    /** Watches the criteria of these algorithms from now on, other than the current ones. */
    void watch(PlatformSimulation simulation, List<Algorithm> algorithms) {
        Scenario scenario = simulation.scenario();
        Algorithm own = simulation.algorithm();
        for (Algorithm algorithm : algorithms) {
            if (!algorithm.tasks().equals(own.tasks())) {
                tasks.computeIfAbsent(algorithm.tasks(), criterion -> {
                    RankedReadyTasks ready = new RankedReadyTasks(scenario.size());
                    ready.copy(simulation.ready);
                    ready.order(scenario.rank(criterion));
                    return ready;
                });
            }
            if (!algorithm.clusters().equals(own.clusters()) && !clusters.contains(algorithm.clusters())) {
                clusters.add(algorithm.clusters());
            }
            if (!algorithm.cores().equals(own.cores()) && !cores.contains(algorithm.cores())) {
                cores.add(algorithm.cores());
            }
        }
    }

    /** Whether a watched algorithm would have led to the same run as the current one. */
    boolean has(Algorithm algorithm, Algorithm own) {
        return (algorithm.tasks().equals(own.tasks()) || tasks.containsKey(algorithm.tasks()))
                && (algorithm.clusters().equals(own.clusters()) || clusters.contains(algorithm.clusters()))
                && (algorithm.cores().equals(own.cores()) || cores.contains(algorithm.cores()));
    }

    /** Whether no criterion is watched any more. */
    boolean isEmpty() {
        return tasks.isEmpty() && clusters.isEmpty() && cores.isEmpty();
    }

    void ready(int task) {
        if (!tasks.isEmpty()) {
            tasks.values().forEach(ready -> ready.add(task));
        }
    }

    void scheduled(int task) {
        if (!tasks.isEmpty()) {
            tasks.values().forEach(ready -> ready.remove(task));
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

    /** This cluster was chosen; the other function returns the one that a criterion would choose. */
    void choseCluster(int cluster, ToIntFunction<ClusterCriterion> choice) {
        if (!clusters.isEmpty()) {
            clusters.removeIf(criterion -> choice.applyAsInt(criterion) != cluster);
        }
    }

    /** A cluster is searched in this way, which needs other messages than another way. */
    void searchedBy(ClusterCriterion.QueryProtocol protocol) {
        if (!clusters.isEmpty()) {
            clusters.removeIf(criterion -> criterion.protocol() != protocol);
        }
    }

    /** A cluster was queried for its value for a task. */
    void queriedValue(PlatformView view, int task, int cluster) {
        if (!clusters.isEmpty()) {
            clusters.forEach(criterion -> values.put(criterion, criterion.value(view, task, cluster)));
        }
    }

    /** The best cluster so far was queried again, and was worse or not. */
    void queriedBest(PlatformView view, int task, int best, boolean worse) {
        if (!clusters.isEmpty()) {
            clusters.removeIf(criterion ->
                    values.getOrDefault(criterion, Double.NaN) > criterion.value(view, task, best) != worse);
        }
    }

    void choseCores(Scenario scenario, int task, int max, int count) {
        if (!cores.isEmpty()) {
            cores.removeIf(criterion -> criterion.cores(scenario, task, max) != count);
        }
    }
}
