package io.sheaf.manager;

import io.sheaf.planner.DagPlanner;
import io.sheaf.planner.JobPool;
import io.sheaf.planner.Owner;
import io.sheaf.planner.PoolPolicy;
import io.sheaf.planner.RankedDag;
import io.sheaf.workflow.BinarySearch;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * Selects the next task in a run of many workflows: the planner's pool of ready tasks, and a sharing policy.
 *
 * <p>Workflows of a higher priority go first; within a priority the policy decides. A task that does not fit on the free cores is skipped this time.
 * {@link ReadyTasks} reports the ready tasks.
 */
final class WorkflowTurns {
    /** Returned by {@link #next} if it skipped too many tasks to be sure that none fits. */
    static final int UNDECIDED = -2;

    private static final int MAX_ASIDE = 200;

    /** The usage charged for a task of unknown run time, in milliseconds. */
    private static final long UNKNOWN_MILLIS = 60_000;

    private record PlannedWorkflow(int first, Workflow tasks, JobPool pool, DagPlanner planner) {}

    private record Aside(PlannedWorkflow of, int job) {}

    private final PoolPolicy policy;
    private final Map<String, Double> weights;
    private final TreeMap<Integer, JobPool> pools = new TreeMap<>(Comparator.reverseOrder());
    private final Map<String, Owner> owners = new TreeMap<>();
    private final List<PlannedWorkflow> parts = new ArrayList<>();
    private final Map<DagPlanner, PlannedWorkflow> byPlanner = new HashMap<>();
    private final List<Aside> setAside = new ArrayList<>();

    /**
     * Without workflows.
     *
     * @param weights the weight of each owner's share; 1 by default
     */
    WorkflowTurns(PoolPolicy policy, Map<String, Double> weights) {
        this.policy = policy;
        this.weights = Map.copyOf(weights);
    }

    /** Adds a workflow whose first task has this number. */
    void add(int first, Workflow tasks, Origin origin) {
        JobPool pool = pool(origin.priority());
        Owner owner = owner(origin.owner());
        RankedDag dag = RankedDag.of(tasks, Double.POSITIVE_INFINITY, 1, RankedDag.WHOLE);
        PlannedWorkflow part = new PlannedWorkflow(first, tasks, pool, pool.join(dag, owner));
        parts.add(part);
        byPlanner.put(part.planner, part);
    }

    private PlannedWorkflow of(int task) {
        return BinarySearch.holding(parts, PlannedWorkflow::first, task);
    }

    void ready(int task) {
        PlannedWorkflow part = of(task);
        part.pool.ready(part.planner, task - part.first);
    }

    void unready(int task) {
        PlannedWorkflow part = of(task);
        part.pool.unready(part.planner, task - part.first);
    }

    /** Starts a ready task and charges its owner. */
    void assign(int task) {
        PlannedWorkflow part = of(task);
        int job = task - part.first;
        Resources needs = part.tasks.resources(job);
        boolean known = part.tasks.timeMicros(job) != Workflow.UNKNOWN;
        long millis = known ? Math.max(1, part.planner.dag().millis(job)) : UNKNOWN_MILLIS;
        part.pool.assign(part.planner, job, millis * needs.allCores());
    }

    /** A task has become final. */
    void complete(int task) {
        PlannedWorkflow part = of(task);
        part.pool.complete(part.planner, task - part.first);
    }

    /** The next ready task that fits; −1 if none does. */
    int next(IntPredicate fits) {
        int found = -1;
        for (JobPool pool : pools.values()) {
            while (found < 0 && pool.ready() > 0 && setAside.size() < MAX_ASIDE) {
                DagPlanner planner = policy.workflow(pool);
                int job = policy.task(pool, planner);
                PlannedWorkflow part = Objects.requireNonNull(byPlanner.get(planner));
                if (fits.test(part.first + job)) {
                    found = part.first + job;
                } else {
                    pool.setAside(planner, job);
                    setAside.add(new Aside(part, job));
                }
            }
        }
        boolean undecided = found < 0 && setAside.size() == MAX_ASIDE;
        for (int i = setAside.size() - 1; i >= 0; i--) {
            Aside each = setAside.get(i);
            each.of.pool.putBack(each.of.planner, each.job);
        }
        setAside.clear();
        return undecided ? UNDECIDED : found;
    }

    /** The ready tasks sorted by the priority of their workflows, then by the order in which they became ready. */
    List<Integer> inOrder(List<Integer> ready) {
        List<Integer> sorted = new ArrayList<>(ready);
        sorted.sort(Comparator.<Integer>comparingInt(task -> priority(of(task).pool))
                .thenComparingInt(task -> of(task).planner.entry(task - of(task).first)));
        return sorted;
    }

    private int priority(JobPool pool) {
        return pools.keySet().stream()
                .filter(priority -> pools.get(priority) == pool)
                .findFirst()
                .orElse(0);
    }

    Map<String, Double> usage() {
        Map<String, Double> usage = new TreeMap<>();
        owners.forEach((name, owner) -> usage.put(name, owner.usage()));
        return usage;
    }

    Map<Integer, Long> assigned() {
        Map<Integer, Long> taken = new TreeMap<>();
        pools.forEach((priority, pool) -> taken.put(priority, pool.assigned()));
        return taken;
    }

    /** Restores usage and counts from a checkpoint. */
    void restore(Checkpoint checkpoint) {
        checkpoint.usage().forEach((name, usage) -> owner(name).restore(usage));
        checkpoint.assigned().forEach((priority, taken) -> pool(priority).restore(taken));
    }

    private Owner owner(String ownerName) {
        return owners.computeIfAbsent(ownerName, name -> new Owner(name, weights.getOrDefault(name, 1.0)));
    }

    private JobPool pool(int priority) {
        return pools.computeIfAbsent(priority, p -> new JobPool());
    }
}
