package io.sheaf.manager;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Pools;
import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import java.util.BitSet;
import java.util.Map;

/**
 * The limits of the size of a run's pilot jobs: nodes, walltime, node-time, and those of each node pool. They change when preemption is observed, when
 * batch systems do not answer, and, if node-time is limited, with the tasks that are left.
 */
final class PilotJobSizes {
    private final ManagedRun run;
    final int allowedNodes;
    final boolean limitsNodeTime;
    /** The maximum number of nodes. If node-time is limited, that of a job in which every unfinished task fits. */
    private int nodes;
    /** With what is known about preemption. */
    Pools pools;

    private Pools planned;
    /** The numbers of pools whose batch system does not answer. */
    private final BitSet unavailable = new BitSet();

    /** The limits of a run before its first event; {@link #update} completes them. */
    PilotJobSizes(ManagedRun run, int nodes) {
        this.run = run;
        Rules rules = run.rules;
        pools = rules.pools().on(rules.node());
        planned = pools.planned();
        allowedNodes = pools.areUnequal() ? Math.min(nodes, pools.maxNodes()) : nodes;
        this.nodes = allowedNodes;
        limitsNodeTime = rules.limits().limitsUnitTime() || pools.unitTime() < Long.MAX_VALUE;
    }

    /** A copy for a copy of the run, whose nodes stay avoided. */
    PilotJobSizes(ManagedRun run, PilotJobSizes source) {
        this.run = run;
        allowedNodes = source.allowedNodes;
        limitsNodeTime = source.limitsNodeTime;
        nodes = source.nodes();
        pools = source.pools;
        planned = source.planned;
        unavailable.or(source.unavailable);
    }

    /** Limits the width of pilot jobs to that in which every unfinished task fits, where the maximum walltime depends on it. */
    void update() {
        if (limitsNodeTime) {
            nodes = allowedNodes;
            nodes = JobWidth.of(run, task -> run.progress.needs.shortest(task));
            run.progress.needs.limit(walltime(nodes, planned));
        }
    }

    /** Changes the mean time until jobs of a pool are preempted, and with it their walltimes. Returns whether there is such a pool. */
    boolean preemptible(Event.Preemptible event) {
        boolean exists = event.pool() >= 1 && event.pool() <= pools.count();
        if (exists) {
            pools = pools.preemptedAfter(event.pool(), event.mean());
            planned = pools.planned();
        }
        return exists;
    }

    void unavailable(Event.PoolsUnavailable event) {
        unavailable.set(event.first(), event.first() + event.count(), event.unavailable());
    }

    /** Identifies the pools whose batch system does not answer; 0 if all do. */
    int unavailable() {
        return unavailable.isEmpty() ? 0 : unavailable.hashCode();
    }

    /** The maximum number of nodes of a pilot job: without avoided ones, unless a task needs more. */
    int nodes() {
        int usable =
                run.health.isEmpty() ? nodes : nodes - run.health.excluded().size();
        return usable == nodes || run.progress.widest() > usable ? nodes : Math.max(1, usable);
    }

    /** What a node of a pool has. */
    Resources node(int pool) {
        Resources node = run.rules.node();
        Resources ofPool = pool == Pools.ANY ? null : pools.pool(pool).node();
        if (ofPool == null) {
            return node;
        }
        Map<String, Long> named = node.named().map();
        named.replaceAll((name, amount) ->
                name.startsWith(NamedAmounts.GPU) ? ofPool.named().amount(name) : amount);
        int gpus = ofPool.gpus() == Resources.UNCOUNTED_GPUS ? node.gpus() : ofPool.gpus();
        return (ofPool.countsMemory() ? ofPool : ofPool.memory(node.memory()))
                .gpus(gpus)
                .named(NamedAmounts.of(named));
    }

    /** The pools with the number of jobs that each still admits. */
    Pools pools() {
        if (!planned.limitJobs() && unavailable.isEmpty()) {
            return planned;
        }
        int[] jobs = run.jobsByPool();
        unavailable.stream().forEach(number -> jobs[number] = Integer.MAX_VALUE);
        return planned.open(jobs);
    }

    /** The limits of a pilot job. */
    JobLimits limits() {
        JobLimits limits = run.rules.limits();
        return new JobLimits(allowedNodes, run.rules.walltime())
                .and(limits.unitTime(Math.min(limits.unitTime(), pools.unitTime())));
    }

    /** The maximum walltime of a pilot job of some nodes in the pool that allows most. */
    long walltime(int width) {
        return walltime(width, pools());
    }

    private long walltime(int width, Pools some) {
        return Math.min(run.rules.limits().walltime(width), some.walltime(width));
    }

    /** The maximum walltime of a pilot job of some nodes in a pool, or in any. */
    long walltime(int pool, int width) {
        long limit = run.rules.limits().walltime(width);
        return pool == Pools.ANY
                ? limit
                : Math.min(limit, pools().pool(pool).limits().walltime(width));
    }
}
