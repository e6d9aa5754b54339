package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.batch.Policy;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Memo;
import io.sheaf.manager.NoEffects;
import io.sheaf.manager.Rules;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import io.sheaf.random.RandomStream;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A manager that dies after any record of its journal, and is made again from it, is the same manager and goes on in the same way. */
class ManagerReplayTest {
    private static final int NODES = 8;
    private static final long MINUTE = 60_000;

    /** What a journal keeps: an event, or an instant that was settled and what was decided. */
    private record Kept(
            @Nullable Event event, long at, @Nullable Decision decision) {}

    @ParameterizedTest
    @ValueSource(strings = {"auto", "onejob", "onejobpertask", "levelbylevel", "zhang", "glume"})
    void isTheSameAfterEveryRecord(String name) {
        for (int seed = 0; seed < 6; seed++) {
            Case run = new Case(name, seed);
            Journalled first = run.play(-1);
            assertThat(first.journal).hasSizeGreaterThan(5);
            // All states on the way, reached by replaying record after record.
            Manager again = run.replaying();
            for (int i = 0; i < first.journal.size(); i++) {
                replay(again, first.journal.get(i), new NoEffects());
                assertThat(again.describe())
                        .as(name + " seed " + seed + " record " + i)
                        .isEqualTo(first.states.get(i));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "onejob", "onejobpertask", "levelbylevel", "zhang", "glume"})
    void goesOnInTheSameWayFromManyRecords(String name) {
        crash(name, 3, 10);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"auto", "onejob", "onejobpertask", "levelbylevel", "giant", "zhang", "glume"})
    void goesOnInTheSameWayFromEveryRecord(String name) {
        crash(name, 20, Integer.MAX_VALUE);
    }

    private static void crash(String name, int seeds, int max) {
        for (int seed = 0; seed < seeds; seed++) {
            Case run = new Case(name, seed);
            Journalled first = run.play(-1);
            int step = Math.max(1, first.journal.size() / max);
            for (int crash = seed % step; crash < first.journal.size(); crash += step) {
                Journalled second = run.play(crash);
                assertThat(second.journal)
                        .as(name + " seed " + seed + " crash " + crash)
                        .isEqualTo(first.journal);
                assertThat(second.manager.describe()).isEqualTo(first.manager.describe());
            }
        }
    }

    @Test
    void whatWasDecidedMustFitWhatHappened() {
        Case run = new Case("glume", 1);
        Manager manager = run.replaying();
        assertThatThrownBy(() -> manager.replay(0, null, new NoEffects())).isInstanceOf(IllegalStateException.class);
    }

    /** Sometimes all goes well, sometimes nothing does. */
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
            setup = new SimulationSetup(
                    Profile.OWN,
                    cores,
                    random.between(2, 16),
                    TaskTimes.spread(0.3, seed),
                    true,
                    faults,
                    Rules.DEFAULT.keepGoing(seed % 2 == 0).brief(seed % 4 < 2 ? 10 * MINUTE : 0));
            times = new RunTimes(workflow, Profile.OWN.planOrder(), cores);
        }

        Strategy strategy() {
            return Strategies.named(name, times, Profile.OWN);
        }

        /** A manager whose strategy must not be asked. */
        Manager replaying() {
            return WorkflowSimulation.manager(queue, workflow, new Unasked(strategy()), setup, DecisionSink.NOTHING);
        }

        /** Plays the run; the manager is made anew from what was kept after a given number of records. */
        Journalled play(int crashAfter) {
            SimulatedQueue fork = queue.fork();
            Journalled steering = new Journalled(this, fork, crashAfter);
            new WorkflowSimulation(fork, fork.now(), workflow, setup, BackgroundReports.UNHEARD, steering).simulate();
            return steering;
        }
    }

    private static void replay(Manager manager, Kept kept, Effects out) {
        if (kept.event != null) {
            manager.on(kept.event, out);
        } else {
            manager.replay(kept.at, kept.decision, out);
        }
    }

    /** A manager that keeps a journal, dies once, and is made again. */
    private static final class Journalled implements RunController {
        private final Case run;
        private final SimulatedQueue queue;
        private final int crashAfter;
        final List<Kept> journal = new ArrayList<>();
        final List<String> states = new ArrayList<>();
        private final Strategy strategy;
        Manager manager;

        Journalled(Case run, SimulatedQueue queue, int crashAfter) {
            this.run = run;
            this.queue = queue;
            this.crashAfter = crashAfter;
            strategy = run.strategy();
            manager = WorkflowSimulation.manager(queue, run.workflow, strategy, run.setup, DecisionSink.NOTHING);
        }

        @Override
        public void on(Event event, Effects out) {
            manager.on(event, out);
            keep(new Kept(event, event.at(), null), out);
        }

        @Override
        public void settle(long at, Effects out) {
            Decision decision = manager.settle(at, out);
            keep(new Kept(null, at, decision == null ? null : written(decision)), out);
        }

        /** As it would be read again: the memo by its text. */
        private Decision written(Decision decision) {
            Memo read = strategy.memo(decision.memo().text());
            return new Decision(decision.orders(), decision.wakeAt(), read);
        }

        private void keep(Kept kept, Effects out) {
            journal.add(kept);
            if (crashAfter < 0) {
                states.add(manager.describe());
            } else if (journal.size() == crashAfter + 1) {
                manager = WorkflowSimulation.manager(queue, run.workflow, strategy, run.setup, DecisionSink.NOTHING);
                journal.forEach(one -> replay(manager, one, new NoEffects()));
                // Deliveries are uncertain: everything without an answer is sent again.
                manager.repeat(out);
            }
        }

        @Override
        public boolean isFinished() {
            return manager.isFinished();
        }

        @Override
        public @Nullable String paused() {
            return manager.paused();
        }
    }

    private static final class Unasked implements Strategy {
        private final Strategy strategy;

        Unasked(Strategy strategy) {
            this.strategy = strategy;
        }

        @Override
        public String name() {
            return strategy.name();
        }

        @Override
        public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
            throw new AssertionError("decisions are replayed, not made again");
        }
    }
}
