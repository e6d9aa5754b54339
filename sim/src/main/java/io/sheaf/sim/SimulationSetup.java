package io.sheaf.sim;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.batch.Pools;
import io.sheaf.manager.Rules;
import io.sheaf.predict.ExpectedRunTimes;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.WaitMemory;
import io.sheaf.strategy.Profile;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/**
 * The setup of a simulated run.
 *
 * @param learner receives the strategy's lessons
 * @param dependencies how the batch system treats a job that depends on another
 * @param estimates converts the batch system's estimates for the strategy
 * @param times how unknown run times are learnt from completed tasks; null if they are not
 * @param maxNodes the maximum number of nodes of a pilot job
 */
public record SimulationSetup(
        Profile profile,
        int coresPerNode,
        int cap,
        TaskTimes taskTimes,
        boolean recording,
        Faults faults,
        Rules rules,
        WaitMemory learner,
        Dependencies dependencies,
        Estimates estimates,
        ExpectedRunTimes.@Nullable Rule times,
        int maxNodes) {
    /** For unknown times: from a minute on, doubled each time, enough for a week. */
    private static final int MAX_TIMEOUTS = 12;

    /** Converts the batch system's estimates for the strategy. */
    @FunctionalInterface
    public interface Estimates {
        /** The strategy's estimator, from the batch system's own estimator and its queue. */
        StartEstimator of(StartEstimator estimator, SimulatedQueue queue);

        Estimates AS_ASKED = (estimator, queue) -> estimator;
    }

    /** How a batch system treats a job that depends on another. */
    public enum Dependencies {
        /** Plans it while it is queued, so that both waits overlap. */
        RESERVING,
        /** Does not plan it before the other one has ended, as stock Slurm. */
        ELIGIBLE_ONLY
    }

    /** Without learning. */
    public SimulationSetup(
            Profile profile,
            int coresPerNode,
            int cap,
            TaskTimes taskTimes,
            boolean recording,
            Faults faults,
            Rules rules) {
        this(
                profile,
                coresPerNode,
                cap,
                taskTimes,
                recording,
                faults,
                rules,
                WaitMemory.NONE,
                Dependencies.RESERVING,
                Estimates.AS_ASKED,
                null,
                Integer.MAX_VALUE);
    }

    /** Without faults. */
    public SimulationSetup(Profile profile, int coresPerNode, int cap, TaskTimes taskTimes, boolean recording) {
        this(profile, coresPerNode, cap, taskTimes, recording, Faults.NONE, Rules.DEFAULT);
    }

    /** Tasks that take their expected times on nodes of one kind. */
    public static SimulationSetup of(Profile profile, Resources node, int cap) {
        return new SimulationSetup(
                profile, node.cores(), cap, TaskTimes.AS_EXPECTED, false, Faults.NONE, Rules.DEFAULT.node(node));
    }

    /** The same with records of all pilot jobs and attempts. */
    public SimulationSetup recorded() {
        return copy(taskTimes, true, rules, learner, dependencies, estimates, times, maxNodes);
    }

    /** The same, learning. */
    public SimulationSetup learning(WaitMemory memory) {
        return copy(taskTimes, recording, rules, memory, dependencies, estimates, times, maxNodes);
    }

    /** The same with another treatment of dependencies. */
    public SimulationSetup with(Dependencies treatment) {
        return copy(taskTimes, recording, rules, learner, treatment, estimates, times, maxNodes);
    }

    /**
     * The same without known run times; a task that is cut off gets more time, as in real runs.
     *
     * @param known the workflow with its times
     * @param rule how they are learnt from completed tasks; null if they are not
     */
    public SimulationSetup unknowing(Workflow known, ExpectedRunTimes.@Nullable Rule rule) {
        return copy(
                taskTimes.of(known),
                recording,
                rules.maxTimeouts(MAX_TIMEOUTS),
                learner,
                dependencies,
                estimates,
                rule,
                maxNodes);
    }

    /** The same with unknown times learnt from completed tasks. */
    public SimulationSetup learningTimes(ExpectedRunTimes.Rule rule) {
        return copy(taskTimes, recording, rules, learner, dependencies, estimates, rule, maxNodes);
    }

    /** The same with other estimates. */
    public SimulationSetup estimating(Estimates other) {
        return copy(taskTimes, recording, rules, learner, dependencies, other, times, maxNodes);
    }

    /** The same with a maximum of nodes for a pilot job. */
    public SimulationSetup nodes(int max) {
        return copy(taskTimes, recording, rules, learner, dependencies, estimates, times, max);
    }

    /** Whether attempts of tasks are recorded. */
    public SimulationSetup recording(boolean all) {
        return copy(taskTimes, all, rules, learner, dependencies, estimates, times, maxNodes);
    }

    /** The same with other pools of pilot jobs than the queue has, in its numbering. */
    public SimulationSetup pools(Pools pools) {
        return copy(taskTimes, recording, rules.pools(pools), learner, dependencies, estimates, times, maxNodes);
    }

    /** The same with a maximum walltime of a pilot job, in milliseconds. */
    public SimulationSetup walltime(long max) {
        return copy(taskTimes, recording, rules.walltime(max), learner, dependencies, estimates, times, maxNodes);
    }

    /** What a node has for tasks. */
    public Resources node() {
        return rules.node().cores(coresPerNode);
    }

    /** The most nodes of a pilot job in a queue. */
    public int nodesOf(SimulatedQueue queue) {
        BatchEngine engine = queue.engine();
        Pools pools = engine.policy().pools();
        int max = pools.count() == 0 ? engine.size() : pools.maxNodes();
        return Math.min(maxNodes, Math.min(max, engine.policy().perJob().units()));
    }

    /** The rules of a manager for a queue: with its pools and its limit of walltimes. */
    Rules rulesOf(SimulatedQueue queue) {
        Policy policy = queue.engine().policy();
        long max = Math.min(policy.perJob().walltime(), policy.pools().walltime(1));
        Rules limited = max < rules.walltime() ? rules.walltime(max) : rules;
        return policy.pools().count() == 0 || rules.pools().count() > 0
                ? limited
                : limited.pools(policy.pools().planned());
    }

    private SimulationSetup copy(
            TaskTimes took,
            boolean kept,
            Rules ruled,
            WaitMemory memory,
            Dependencies treatment,
            Estimates estimates,
            ExpectedRunTimes.@Nullable Rule learnt,
            int max) {
        return new SimulationSetup(
                profile, coresPerNode, cap, took, kept, faults, ruled, memory, treatment, estimates, learnt, max);
    }
}
