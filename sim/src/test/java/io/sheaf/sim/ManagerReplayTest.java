package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.batch.Policy;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Memo;
import io.sheaf.manager.NoEffects;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import io.sheaf.random.RandomStream;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that a manager that is killed after any record of its journal and restored has the same state and makes the
 * same decisions.
 */
class ManagerReplayTest {
    private static final int NODES = 8;
    private static final long MINUTE = 60_000;

    @ParameterizedTest
    @ValueSource(strings = {"auto", "onejob", "onejobpertask", "levelbylevel", "zhang", "glume"})
    void replayReproducesTheStateAfterEveryRecord(String name) {
        for (int seed = 0; seed < 6; seed++) {
            Case run = new Case(name, seed);
            JournalledManager first = run.simulate(-1);
            assertThat(first.journal).hasSizeGreaterThan(5);
            first.checkReplay(run.replaying(), name + " seed " + seed);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "onejob", "onejobpertask", "levelbylevel", "zhang", "glume"})
    void aRestoredRunContinuesTheSameFromManyRecords(String name) {
        crash(name, 3, 10);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"auto", "onejob", "onejobpertask", "levelbylevel", "giant", "zhang", "glume"})
    void aRestoredRunContinuesTheSameFromEveryRecord(String name) {
        crash(name, 20, Integer.MAX_VALUE);
    }

    private static void crash(String name, int seeds, int max) {
        for (int seed = 0; seed < seeds; seed++) {
            Case run = new Case(name, seed);
            JournalledManager first = run.simulate(-1);
            int step = Math.max(1, first.journal.size() / max);
            for (int crash = seed % step; crash < first.journal.size(); crash += step) {
                first.checkSame(run.simulate(crash), name + " seed " + seed + " crash " + crash);
            }
        }
    }

    @Test
    void aReplayedDecisionMustMatchTheEvents() {
        Case run = new Case("glume", 1);
        Manager manager = run.replaying();
        assertThatThrownBy(() -> manager.replay(0, null, new NoEffects())).isInstanceOf(IllegalStateException.class);
    }

    /** A run without faults or with many, depending on the seed. */
    private static final class Case {
        private final String name;
        private final int cores;
        private final Workflow workflow;
        private final SimulatedQueue queue;
        private final SimulationSetup setup;
        private final RunTimes times;

        Case(String name, int seed) {
            this.name = name;
            RandomStream random = new RandomStream(seed);
            cores = random.chance(0.7) ? 1 : 4;
            workflow = RandomRuns.workflow(random, cores);
            queue = new SimulatedQueue(RandomRuns.background(random, NODES), Policy.conservative(), NODES);
            queue.advanceTo(random.nextInt(600) * MINUTE);
            Faults faults = seed % 3 == 0
                    ? Faults.NONE
                    : Faults.parse("task=0.1,job=0.2,node=0.1,refuse=0.2,silent=0.2,late=0.5,delay=1h,twice=0.2", seed);
            setup = SimulationSetup.of(Profile.OWN, Resources.node(cores), random.between(2, 16))
                    .taking(TaskTimes.spread(0.3, seed))
                    .recording(true)
                    .with(faults)
                    .rules(rules -> rules.keepGoing(seed % 2 == 0).brief(seed % 4 < 2 ? 10 * MINUTE : 0));
            times = new RunTimes(workflow, Profile.OWN.planOrder(), cores);
        }

        Strategy strategy() {
            return Strategies.named(name, times, Profile.OWN);
        }

        /** A manager whose strategy must not be called. */
        Manager replaying() {
            return manager(queue, new ReplayOnly(strategy()));
        }

        private Manager manager(SimulatedQueue on, Strategy by) {
            return WorkflowSimulation.manager(on, workflow, by, setup, DecisionSink.NOTHING);
        }

        /** Simulates the run; the manager is killed after the record of this index and restored from its journal. */
        JournalledManager simulate(int crashAfter) {
            SimulatedQueue fork = queue.fork();
            JournalledManager controller = new JournalledManager(strategy(), by -> manager(fork, by), crashAfter);
            new WorkflowSimulation(fork, fork.now(), workflow, setup, controller).simulate();
            return controller;
        }
    }

    private static final class ReplayOnly implements Strategy {
        private final Strategy strategy;

        ReplayOnly(Strategy strategy) {
            this.strategy = strategy;
        }

        @Override
        public String name() {
            return strategy.name();
        }

        @Override
        public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
            throw new AssertionError("decisions are replayed, not computed");
        }
    }
}
