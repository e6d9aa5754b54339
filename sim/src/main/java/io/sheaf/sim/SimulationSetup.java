package io.sheaf.sim;

import io.sheaf.manager.Rules;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.TimesInUse;
import io.sheaf.predict.WaitMemory;
import io.sheaf.strategy.Profile;
import io.sheaf.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/**
 * How a simulated run is set up.
 *
 * @param learner is told what the strategy learnt
 * @param dependencies how the batch system treats a job that must wait for another
 * @param estimates what is made of the batch system's estimates before the strategy hears them
 * @param times whether run times that the workflow does not know are learnt from tasks that end; null if not
 * @param mostNodes that a pilot job may have, however many there are
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
        TimesInUse.@Nullable Rule times,
        int mostNodes) {
    /** Where times are not known: from a minute on each more than twice as long as the one before, that is enough for a week. */
    private static final int MOST_TIMEOUTS = 12;

    /** What is made of the batch system's estimates before the strategy hears them. */
    @FunctionalInterface
    public interface Estimates {
        /** What the strategy asks, from the batch system's own answers and its queue. */
        StartEstimator of(StartEstimator asked, SimulatedQueue queue);

        Estimates AS_ASKED = (asked, queue) -> asked;
    }

    /** How a batch system treats a job that depends on another. */
    public enum Dependencies {
        /** It plans it while it waits, so that both waits overlap. */
        RESERVING,
        /** It does not look at it before the other is over, as stock Slurm. */
        ELIGIBLE_ONLY
    }

    /** Nothing is learnt. */
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

    /** Nothing goes wrong. */
    public SimulationSetup(Profile profile, int coresPerNode, int cap, TaskTimes taskTimes, boolean recording) {
        this(profile, coresPerNode, cap, taskTimes, recording, Faults.NONE, Rules.DEFAULT);
    }

    /** The same, with all pilot jobs and attempts kept. */
    public SimulationSetup recorded() {
        return copy(taskTimes, true, rules, learner, dependencies, estimates, times, mostNodes);
    }

    /** The same, learning. */
    public SimulationSetup learning(WaitMemory memory) {
        return copy(taskTimes, recording, rules, memory, dependencies, estimates, times, mostNodes);
    }

    /** The same on a batch system that treats dependencies so. */
    public SimulationSetup with(Dependencies treatment) {
        return copy(taskTimes, recording, rules, learner, treatment, estimates, times, mostNodes);
    }

    /**
     * The same where the manager does not know how long tasks take; a task that is cut off is given more time, as in real runs.
     *
     * @param known the workflow with its times
     * @param rule how they are learnt from tasks that end; null if they are not
     */
    public SimulationSetup unknowing(Workflow known, TimesInUse.@Nullable Rule rule) {
        return copy(
                taskTimes.of(known),
                recording,
                rules.mostTimeouts(MOST_TIMEOUTS),
                learner,
                dependencies,
                estimates,
                rule,
                mostNodes);
    }

    /** The same where times that the workflow does not know are learnt from tasks that end. */
    public SimulationSetup learningTimes(TimesInUse.Rule rule) {
        return copy(taskTimes, recording, rules, learner, dependencies, estimates, rule, mostNodes);
    }

    /** The same with other estimates. */
    public SimulationSetup estimating(Estimates other) {
        return copy(taskTimes, recording, rules, learner, dependencies, other, times, mostNodes);
    }

    /** The same with a maximum of nodes for a pilot job. */
    public SimulationSetup nodes(int most) {
        return copy(taskTimes, recording, rules, learner, dependencies, estimates, times, most);
    }

    /** The most nodes of a pilot job in a queue. */
    int nodesOf(SimulatedQueue queue) {
        return Math.min(mostNodes, queue.engine().capacity());
    }

    private SimulationSetup copy(
            TaskTimes took,
            boolean kept,
            Rules ruled,
            WaitMemory memory,
            Dependencies treatment,
            Estimates told,
            TimesInUse.@Nullable Rule learnt,
            int most) {
        return new SimulationSetup(
                profile, coresPerNode, cap, took, kept, faults, ruled, memory, treatment, told, learnt, most);
    }
}
