package io.sheaf.platform;

import io.sheaf.platform.ClusterCriterion.QueryProtocol;

/**
 * The workflow manager behind the published data: one actor on the user's machine that sends one query after the other.
 *
 * <p>In each round it iterates over the ready tasks in order. For each it queries every cluster for an idle core; if there is one, it
 * chooses a cluster and a number of cores, and submits, with a round trip for each query. Tasks that cannot be scheduled cost their queries
 * as well. Then it waits for one task to complete. An answer has the cluster's state at the arrival of the query.
 */
final class PublishedManager extends PlatformManager {
    /** A question reaches a cluster. */
    private static final int QUERIED = EventToken.MANAGER;
    /** The answer is back. */
    private static final int ANSWERED = EventToken.MANAGER + 1;
    /** The cluster receives the end of a task. */
    private static final int FREED = EventToken.MANAGER + 2;
    /** The user's machine receives the end of a task. */
    private static final int REPORTED = EventToken.MANAGER + 3;
    /** The file registry has answered or was updated. */
    private static final int REGISTRY = EventToken.MANAGER + 4;

    /** Seconds of a question to the registry, on the same machine: two messages at 9.7 GB/s. */
    private static final double REGISTRY_SECONDS = 2 * ChunkedTransfers.MESSAGE / 9.7e9;

    private enum Step {
        WAITING,
        RECORDING,
        QUERY_IDLE,
        QUERY_VALUE,
        QUERY_BEST,
        QUERY_FILE,
        QUERY_CORES,
        LOOK_UP,
        SUBMIT
    }

    private final int[] order;
    /** Ended tasks that the manager has not processed, from head to tail. */
    private final int[] received;

    private int head;
    private int tail;
    private Step step = Step.WAITING;
    private int task;
    private long candidates;
    /** The place in the order of the cluster that is queried. */
    private int at;

    private int best;
    /** The queried file, and its index among all inputs. */
    private int file;

    private int index;
    private double value;
    private int cores;

    PublishedManager(PlatformSimulation simulation) {
        super(simulation);
        order = simulation.scenario().platform().publishedOrder().stream()
                .mapToInt(Integer::intValue)
                .toArray();
        received = new int[simulation.scenario().size()];
    }

    @Override
    void resume() {
        nextTask(0);
    }

    private void nextTask(int rank) {
        int previous = task;
        task = simulation.ready.from(rank);
        if (rank == 0) {
            simulation.equivalent.pickedFirst(task);
        } else {
            simulation.equivalent.pickedNext(previous, task);
        }
        if (task < 0) {
            step = Step.WAITING;
            receive();
            return;
        }
        candidates = 0;
        at = 0;
        step = Step.QUERY_IDLE;
        query(order[0]);
    }

    private void query(int cluster) {
        Services services = simulation.services;
        int service = step == Step.QUERY_FILE ? services.storing(cluster) : services.computing(cluster);
        int route = simulation.kernel.routes.user(cluster);
        services.send(service, route, ChunkedTransfers.MESSAGE, EventToken.of(QUERIED, cluster));
    }

    @Override
    void on(int kind, int number) {
        Kernel kernel = simulation.kernel;
        switch (kind) {
            case QUERIED -> {
                inspect(number);
                kernel.send(kernel.routes.user(number), ChunkedTransfers.MESSAGE, EventToken.of(ANSWERED, number));
            }
            case ANSWERED -> advance();
            case FREED -> {
                simulation.release(number);
                int route = kernel.routes.user(simulation.clusterOf(number));
                Services services = simulation.services;
                services.send(services.receiving(), route, ChunkedTransfers.MESSAGE, EventToken.of(REPORTED, number));
            }
            case REPORTED -> {
                received[tail++] = number;
                if (step == Step.WAITING) {
                    receive();
                }
            }
            case REGISTRY -> {
                if (step == Step.RECORDING) {
                    recorded();
                } else {
                    step = Step.SUBMIT;
                    query(best);
                }
            }
            default -> throw new IllegalStateException("kind " + kind);
        }
    }

    /** What a question finds at a cluster. */
    private void inspect(int cluster) {
        switch (step) {
            case QUERY_IDLE -> {
                if (simulation.cores.idle(cluster) > 0) {
                    candidates |= 1L << at;
                }
            }
            case QUERY_VALUE -> {
                value = simulation.algorithm().clusters().value(simulation, task, cluster);
                simulation.equivalent.queriedValue(simulation, task, cluster);
            }
            case QUERY_BEST -> {
                boolean worse = value > simulation.algorithm().clusters().value(simulation, task, cluster);
                simulation.equivalent.queriedBest(simulation, task, cluster, worse);
                if (worse) {
                    best = order[at];
                }
            }
            case QUERY_FILE -> {
                if (simulation.storage.has(cluster, file) && simulation.scenario().bytes[file] > 0) {
                    best = cluster;
                }
            }
            case QUERY_CORES -> {
                int max = Math.min(PlatformSimulation.MAX_CORES, simulation.cores.maxIdlePerNode(cluster));
                cores = simulation.algorithm().cores().cores(simulation.scenario(), task, max);
                simulation.equivalent.choseCores(simulation.scenario(), task, max, cores);
            }
            case SUBMIT -> {
                simulation.ready.remove(task);
                simulation.equivalent.scheduled(task);
                simulation.begin(task, cluster, cores);
            }
            default -> throw new IllegalStateException("no question in step " + step);
        }
    }

    /** The answer is back: on to the next question. */
    private void advance() {
        switch (step) {
            case QUERY_IDLE -> {
                if (++at < order.length) {
                    query(order[at]);
                } else if (candidates == 0) {
                    nextTask(simulation.ready.rank(task) + 1);
                } else {
                    chooseCluster();
                }
            }
            case QUERY_VALUE -> {
                step = Step.QUERY_BEST;
                query(best);
            }
            case QUERY_BEST -> nextPair();
            case QUERY_FILE -> nextFile();
            case QUERY_CORES -> {
                step = Step.LOOK_UP;
                Scenario scenario = simulation.scenario();
                int inputs = scenario.inputStart[task + 1] - scenario.inputStart[task];
                simulation.kernel.after(inputs * REGISTRY_SECONDS, EventToken.of(REGISTRY, 0));
            }
            case SUBMIT -> nextTask(simulation.ready.rank(task) + 1);
            default -> throw new IllegalStateException("no answer in step " + step);
        }
    }

    private void chooseCluster() {
        at = Long.numberOfTrailingZeros(candidates);
        best = order[at];
        QueryProtocol protocol = simulation.algorithm().clusters().protocol();
        simulation.equivalent.searchedBy(protocol);
        if (protocol == QueryProtocol.FILE_BY_FILE) {
            index = simulation.scenario().inputStart[task] - 1;
            nextFile();
        } else {
            nextPair();
        }
    }

    private void nextPair() {
        at = nextCandidate();
        if (at < 0) {
            queryCores();
        } else {
            step = Step.QUERY_VALUE;
            query(order[at]);
        }
    }

    /** Cluster after cluster, and in each file after file. */
    private void nextFile() {
        Scenario scenario = simulation.scenario();
        index++;
        if (index >= scenario.inputStart[task + 1]) {
            index = scenario.inputStart[task];
            at = nextCandidate();
        }
        if (at < 0 || index >= scenario.inputStart[task + 1]) {
            queryCores();
        } else {
            step = Step.QUERY_FILE;
            file = scenario.inputs[index];
            query(order[at]);
        }
    }

    private int nextCandidate() {
        long later = candidates & ~((2L << at) - 1);
        return later == 0 ? -1 : Long.numberOfTrailingZeros(later);
    }

    private void queryCores() {
        step = Step.QUERY_CORES;
        query(best);
    }

    @Override
    void ended(int ended) {
        int cluster = simulation.clusterOf(ended);
        Services services = simulation.services;
        int route = simulation.kernel.routes.inside(cluster);
        services.send(services.computing(cluster), route, 0, EventToken.of(FREED, ended));
    }

    private void receive() {
        if (head < tail) {
            step = Step.RECORDING;
            Scenario scenario = simulation.scenario();
            int ended = received[head];
            int outputs = scenario.outputStart[ended + 1] - scenario.outputStart[ended];
            simulation.kernel.after(outputs * REGISTRY_SECONDS, EventToken.of(REGISTRY, 0));
        }
    }

    private void recorded() {
        if (!simulation.complete(received[head++])) {
            resume();
        }
    }

    @Override
    void copy(PlatformManager other) {
        PublishedManager target = (PublishedManager) other;
        System.arraycopy(target.received, 0, received, 0, target.tail);
        head = target.head;
        tail = target.tail;
        step = target.step;
        task = target.task;
        candidates = target.candidates;
        at = target.at;
        best = target.best;
        file = target.file;
        index = target.index;
        value = target.value;
        cores = target.cores;
    }
}
