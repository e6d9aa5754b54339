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
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The setup of a simulated run.
 *
 * @param taskTimes how long tasks take
 * @param recording whether pilot jobs and attempts of tasks are recorded
 * @param learner receives the strategy's lessons
 * @param dependencies how the batch system treats a job that depends on another
 * @param estimates converts the batch system's estimates for the strategy
 * @param times how unknown run times are learnt from completed tasks; null if they are not
 * @param maxNodes the maximum number of nodes of a pilot job
 */
public record SimulationSetup(
        Profile profile,
        int cap,
        TaskTimes taskTimes,
        boolean recording,
        Faults faults,
        Rules rules,
        WaitMemory learner,
        Dependencies dependencies,
        Estimates estimates,
        ExpectedRunTimes.@Nullable HistoryRule times,
        int maxNodes) {
    /** For unknown times: from a minute on, doubled each time, enough for a week. */
    private static final int MAX_TIMEOUTS = 12;

    /** Converts the batch system's estimates for the strategy. */
    @FunctionalInterface
    public interface Estimates {
        /** The strategy's estimator, from the batch system's own estimator and its queue. */
        StartEstimator of(StartEstimator estimator, SimulatedQueue queue);

        Estimates UNCHANGED = (estimator, queue) -> estimator;
    }

    /** How a batch system treats a job that depends on another. */
    public enum Dependencies {
        /** Plans it while it is queued, so that both waits overlap. */
        RESERVING,
        /** Does not plan it before the other one has ended, as stock Slurm. */
        ELIGIBLE_ONLY
    }

    /** Tasks that take their expected times on nodes of one kind, without faults, records and learning. */
    public static SimulationSetup of(Profile profile, Resources node, int cap) {
        return new SimulationSetup(
                profile,
                cap,
                TaskTimes.AS_EXPECTED,
                false,
                Faults.NONE,
                Rules.DEFAULT.node(node),
                WaitMemory.NONE,
                Dependencies.RESERVING,
                Estimates.UNCHANGED,
                null,
                Integer.MAX_VALUE);
    }

    /** The same with other times of tasks. */
    public SimulationSetup taking(TaskTimes other) {
        return copy(other, recording, faults, rules, learner, dependencies, estimates, times, maxNodes);
    }

    /** The same with or without records of pilot jobs and attempts. */
    public SimulationSetup recording(boolean all) {
        return copy(taskTimes, all, faults, rules, learner, dependencies, estimates, times, maxNodes);
    }

    /** The same with faults. */
    public SimulationSetup with(Faults injected) {
        return copy(taskTimes, recording, injected, rules, learner, dependencies, estimates, times, maxNodes);
    }

    /** The same with changed rules of the manager. */
    public SimulationSetup rules(UnaryOperator<Rules> change) {
        Rules changed = change.apply(rules);
        return copy(taskTimes, recording, faults, changed, learner, dependencies, estimates, times, maxNodes);
    }

    /** The same, learning. */
    public SimulationSetup learning(WaitMemory memory) {
        return copy(taskTimes, recording, faults, rules, memory, dependencies, estimates, times, maxNodes);
    }

    /** The same with another treatment of dependencies. */
    public SimulationSetup with(Dependencies treatment) {
        return copy(taskTimes, recording, faults, rules, learner, treatment, estimates, times, maxNodes);
    }

    /**
     * The same without known run times; a task that is cut off gets more time, as in real runs.
     *
     * @param known the workflow with its times
     * @param rule how they are learnt from completed tasks; null if they are not
     */
    public SimulationSetup unknowing(Workflow known, ExpectedRunTimes.@Nullable HistoryRule rule) {
        return taking(taskTimes.of(known))
                .rules(each -> each.maxTimeouts(MAX_TIMEOUTS))
                .learningTimes(rule);
    }

    /** The same with unknown times learnt from completed tasks; null if they are not. */
    public SimulationSetup learningTimes(ExpectedRunTimes.@Nullable HistoryRule rule) {
        return copy(taskTimes, recording, faults, rules, learner, dependencies, estimates, rule, maxNodes);
    }

    /** The same with other estimates. */
    public SimulationSetup estimating(Estimates other) {
        return copy(taskTimes, recording, faults, rules, learner, dependencies, other, times, maxNodes);
    }

    /** The same with a maximum of nodes for a pilot job. */
    public SimulationSetup nodes(int max) {
        return copy(taskTimes, recording, faults, rules, learner, dependencies, estimates, times, max);
    }

    /** What a node has for tasks. */
    public Resources node() {
        return rules.node();
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
        if (policy.perJob().limitsUnitTime()) {
            limited = limited.limits(limited.limits().and(policy.perJob()));
        }
        return policy.pools().count() == 0 || rules.pools().count() > 0
                ? limited
                : limited.pools(policy.pools().planned());
    }

    private SimulationSetup copy(
            TaskTimes took,
            boolean kept,
            Faults injected,
            Rules ruled,
            WaitMemory memory,
            Dependencies treatment,
            Estimates estimates,
            ExpectedRunTimes.@Nullable HistoryRule learnt,
            int max) {
        return new SimulationSetup(
                profile, cap, took, kept, injected, ruled, memory, treatment, estimates, learnt, max);
    }
}
