package io.sheaf.platform;

/**
 * The workflow manager of the paper (4.3): it has complete information, and scheduling takes no time.
 *
 * <p>While a task is ready and a core idle, it picks a task, a cluster and a number of cores.
 */
final class PaperManager extends PlatformManager {
    PaperManager(PlatformSimulation simulation) {
        super(simulation);
    }

    @Override
    void resume() {
        Algorithm algorithm = simulation.algorithm();
        RankedReadyTasks ready = simulation.ready;
        EquivalentCriteria equivalent = simulation.equivalent;
        while (!ready.isEmpty() && simulation.cores.allIdle > 0) {
            int task = ready.first();
            equivalent.pickedFirst(task);
            int cluster = best(task, algorithm.clusters());
            if (!equivalent.isEmpty()) {
                equivalent.choseCluster(cluster, criterion -> best(task, criterion));
            }
            int max = Math.min(PlatformSimulation.MAX_CORES, simulation.cores.maxIdlePerNode(cluster));
            int cores = algorithm.cores().cores(simulation.scenario(), task, max);
            equivalent.choseCores(simulation.scenario(), task, max, cores);
            ready.remove(task);
            equivalent.scheduled(task);
            simulation.begin(task, cluster, cores);
        }
    }

    private int best(int task, ClusterCriterion criterion) {
        int best = -1;
        double max = Double.NEGATIVE_INFINITY;
        for (int cluster = 0; cluster < simulation.clusters; cluster++) {
            if (simulation.cores.idle(cluster) > 0) {
                double value = criterion.value(simulation, task, cluster);
                if (value > max) {
                    max = value;
                    best = cluster;
                }
            }
        }
        return best;
    }

    @Override
    void ended(int task) {
        simulation.release(task);
        if (!simulation.complete(task)) {
            resume();
        }
    }

    @Override
    void on(int kind, int task) {
        throw new IllegalStateException("no messages are sent");
    }

    @Override
    void copy(PlatformManager other) {
        // It keeps nothing.
    }
}
