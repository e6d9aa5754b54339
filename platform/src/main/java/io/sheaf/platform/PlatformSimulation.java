package io.sheaf.platform;

import io.sheaf.workflow.Workflow;
import java.util.function.IntConsumer;

/**
 * A simulated execution of a workflow on a platform: tasks read their inputs, compute, and write their outputs.
 *
 * <p>It can be stopped after an amount of completed work, continue with another algorithm, and be forked at any stop.
 */
public final class PlatformSimulation implements PlatformView {
    /** No task uses more cores. */
    static final int MAX_CORES = 32;

    private final Scenario scenario;
    final Kernel kernel;
    final Services services;
    final Cores cores;
    final RankedReadyTasks ready;
    final Storage storage;
    private final Transfers transfers;
    private final PlatformManager manager;
    private final PlatformExecution execution;
    final int clusters;
    private final IntConsumer handler = this::on;

    private final int[] leftOfLevel;
    private final int[] waitingFor;
    /** The place of the file that a task reads or writes. */
    private final int[] at;

    private final boolean[] writing;
    /** What is found out while running, and no part of the state that is copied. */
    final EquivalentCriteria equivalent = new EquivalentCriteria();

    private Algorithm algorithm;
    private int completed;
    private double workSince;
    private double workLimit;
    private boolean stopAtLevels;
    boolean stopped = true;

    public PlatformSimulation(Scenario scenario, Algorithm algorithm) {
        this.scenario = scenario;
        this.algorithm = algorithm;
        Workflow workflow = scenario.workflow();
        int size = scenario.size();
        if (size > EventToken.MAX_TASKS) {
            throw new IllegalArgumentException(size + " tasks; at most " + EventToken.MAX_TASKS + " can be simulated");
        }
        clusters = scenario.platform().clusters().size();
        kernel = new Kernel(scenario.platform());
        services = new Services(kernel, clusters);
        cores = new Cores(scenario.platform().clusters());
        ready = new RankedReadyTasks(size);
        storage = new Storage(scenario);
        execution = new PlatformExecution(scenario);
        leftOfLevel = new int[workflow.levels()];
        for (int level = 0; level < leftOfLevel.length; level++) {
            leftOfLevel[level] = workflow.width(level);
        }
        waitingFor = new int[size];
        at = new int[size];
        writing = new boolean[size];
        transfers = Transfers.of(this);
        manager = PlatformManager.of(this);
        ready.order(scenario.rank(algorithm.tasks()));
        for (int task = 0; task < size; task++) {
            waitingFor[task] = workflow.parents(task);
            if (waitingFor[task] == 0) {
                ready.add(task);
            }
        }
    }

    public static PlatformSimulation run(Scenario scenario, Algorithm algorithm) {
        PlatformSimulation simulation = new PlatformSimulation(scenario, algorithm);
        simulation.run(StopRule.NEVER);
        return simulation;
    }

    /** An independent copy. */
    public PlatformSimulation fork() {
        PlatformSimulation copy = new PlatformSimulation(scenario, algorithm);
        copy.copy(this);
        return copy;
    }

    /** Takes over the state of another simulation of the same scenario. */
    void copy(PlatformSimulation other) {
        kernel.copy(other.kernel);
        services.copy(other.services);
        cores.copy(other.cores);
        ready.copy(other.ready);
        transfers.copy(other.transfers);
        manager.copy(other.manager);
        execution.copy(other.execution);
        System.arraycopy(other.leftOfLevel, 0, leftOfLevel, 0, leftOfLevel.length);
        System.arraycopy(other.waitingFor, 0, waitingFor, 0, waitingFor.length);
        storage.copy(other.storage);
        System.arraycopy(other.at, 0, at, 0, at.length);
        System.arraycopy(other.writing, 0, writing, 0, writing.length);
        algorithm = other.algorithm;
        completed = other.completed;
        workSince = other.workSince;
        workLimit = other.workLimit;
        stopAtLevels = other.stopAtLevels;
        stopped = other.stopped;
    }

    /** An independent copy with other run times; tasks that compute end according to them. */
    PlatformSimulation believing(Scenario belief) {
        PlatformSimulation copy = new PlatformSimulation(belief, algorithm);
        copy.copy(this);
        copy.kernel.timers.rekey((token, date) -> {
            int task = EventToken.task(token);
            return EventToken.kind(token) == EventToken.COMPUTED
                    ? Math.max(kernel.now(), execution.read(task) + copy.computing(task))
                    : date;
        });
        return copy;
    }

    /** Uses this algorithm from now on; running tasks continue. */
    public void use(Algorithm other) {
        algorithm = other;
        ready.order(scenario.rank(other.tasks()));
    }

    /**
     * Runs until all tasks are complete or the rule applies; the manager stops after it has processed a completion and before it schedules.
     *
     * @return whether all tasks are complete
     */
    boolean run(StopRule rule) {
        if (!stopped || isComplete()) {
            return isComplete();
        }
        workSince = 0;
        workLimit = rule.fraction() * scenario.totalSeconds;
        stopAtLevels = rule.atLevels();
        stopped = false;
        manager.resume();
        while (!stopped && kernel.now() <= rule.latest()) {
            int token = kernel.next();
            if (token < 0) {
                throw new IllegalStateException(
                        "deadlock in the simulation: " + (scenario.size() - completed) + " tasks not completed");
            }
            on(token);
        }
        return isComplete();
    }

    private void on(int token) {
        int kind = EventToken.kind(token);
        int task = EventToken.task(token);
        if (kind < EventToken.COMPUTED) {
            if (transfers.on(kind, task)) {
                transferred(task);
            }
        } else if (kind == EventToken.COMPUTED) {
            execution.computed(task, kernel.now());
            writing[task] = true;
            at[task] = scenario.outputStart[task];
            nextOutput(task);
        } else if (kind == EventToken.ARRIVED) {
            services.on(task, handler);
        } else {
            manager.on(kind, task);
        }
    }

    // --- what the manager does ---

    /** Starts a task on a node of this cluster. */
    void begin(int task, int cluster, int count) {
        int node = cores.allocate(cluster, count);
        execution.started(task, cluster, node, count, kernel.now());
        at[task] = scenario.inputStart[task];
        nextInput(task);
    }

    /** Frees the cores of a task. */
    void release(int task) {
        cores.release(execution.cluster(task), execution.node(task), execution.cores(task));
    }

    /** Marks a task complete; its children may become ready. True if the simulation stops here. */
    boolean complete(int task) {
        completed++;
        workSince += scenario.work[task];
        Workflow workflow = scenario.workflow();
        for (int i = 0; i < workflow.children(task); i++) {
            int child = workflow.child(task, i);
            if (--waitingFor[child] == 0) {
                ready.add(child);
                equivalent.ready(child);
            }
        }
        boolean levelDone = --leftOfLevel[workflow.level(task)] == 0;
        stopped = isComplete() || workSince > workLimit || (stopAtLevels && levelDone);
        return stopped;
    }

    // --- the steps of a task ---

    private void nextInput(int task) {
        if (at[task] < scenario.inputStart[task + 1]) {
            int file = scenario.inputs[at[task]];
            int from = storage.placeOf(file, execution.cluster(task));
            execution.moved(scenario.bytes[file], from != execution.cluster(task));
            transfers.read(task, file, from);
        } else {
            execution.hasRead(task, kernel.now());
            kernel.after(computing(task), EventToken.of(EventToken.COMPUTED, task));
        }
    }

    private void nextOutput(int task) {
        if (at[task] < scenario.outputStart[task + 1]) {
            int file = scenario.outputs[at[task]];
            execution.moved(scenario.bytes[file], false);
            transfers.write(task, file);
        } else {
            execution.ended(task, kernel.now());
            manager.ended(task);
        }
    }

    private void transferred(int task) {
        if (writing[task]) {
            storage.put(scenario.outputs[at[task]++], execution.cluster(task));
            nextOutput(task);
        } else {
            if (scenario.model() == Model.PAPER) {
                storage.put(scenario.inputs[at[task]], execution.cluster(task));
            }
            at[task]++;
            nextInput(task);
        }
    }

    private double computing(int task) {
        int count = execution.cores(task);
        double alone =
                scenario.platform().clusters().get(execution.cluster(task)).seconds(scenario.seconds[task]);
        double parallel = scenario.alpha[task] * alone / count;
        double all = parallel + (1 - scenario.alpha[task]) * alone;
        if (scenario.model() == Model.PAPER) {
            return all;
        }
        // Every thread reports its end by a message, and the task takes one at a time.
        double message = kernel.routes.delay(kernel.routes.inside(execution.cluster(task)));
        return Math.max(all, parallel + (count - 1) * message) + message;
    }

    // --- what can be seen ---

    public Scenario scenario() {
        return scenario;
    }

    public Algorithm algorithm() {
        return algorithm;
    }

    /** What has happened so far. */
    public PlatformExecution execution() {
        return execution;
    }

    public double now() {
        return kernel.now();
    }

    public boolean isComplete() {
        return completed == scenario.size();
    }

    int clusterOf(int task) {
        return execution.cluster(task);
    }

    @Override
    public PlatformCluster cluster(int cluster) {
        return scenario.platform().clusters().get(cluster);
    }

    @Override
    public int idleCores(int cluster) {
        return cores.idle(cluster);
    }

    @Override
    public double storedInputBytes(int task, int cluster) {
        return storage.inputBytes(task, cluster);
    }
}
