package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Policy;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.random.RandomStream;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that GLUME decides the same with and without its short cuts, in every decision of random runs. */
class GlumeShortCutsTest {
    private static final int NODES = 8;

    @ParameterizedTest
    @ValueSource(strings = {"glume", "glume:beat=0.1"})
    void decisionsAreTheSameWithoutShortCuts(String name) {
        int decisions = 0;
        for (int seed = 0; seed < 60; seed++) {
            RandomStream random = new RandomStream(seed).split("short cuts");
            Workflow workflow = RandomRuns.workflow(random, 1);
            Profile profile = random.chance(0.5) ? Profile.OWN : Profile.THESIS;
            SimulatedQueue queue =
                    new SimulatedQueue(RandomRuns.background(random, NODES), Policy.conservative(), NODES);
            queue.advanceTo(random.nextInt(600) * 60_000L);
            Both both = new Both(name, workflow, profile);
            TaskTimes times = random.chance(0.5) ? TaskTimes.AS_EXPECTED : TaskTimes.spread(0.4, seed);
            SimulatedRun run = WorkflowSimulation.run(
                    queue,
                    workflow,
                    both,
                    SimulationSetup.of(profile, Resources.node(1), 16).taking(times),
                    DecisionSink.NOTHING);
            assertThat(run.completed()).isTrue();
            decisions += both.decisions;
        }
        assertThat(decisions).isGreaterThan(80);
    }

    /** Decides with and without short cuts, each with separate run times, and compares the decisions. */
    private static final class Both implements Strategy {
        private final Strategy quick;
        private final Strategy plain;
        int decisions;

        Both(String name, Workflow workflow, Profile profile) {
            quick = Strategies.named(name, new RunTimes(workflow, profile.planOrder(), 1), profile);
            plain = Strategies.named(name, new RunTimes(workflow, profile.planOrder(), 1), profile);
        }

        @Override
        public String name() {
            return quick.name();
        }

        @Override
        public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
            Decision decision = quick.decide(view, memo, estimator, sink);
            assertThat(decision).isEqualTo(plain.decide(view, memo, new WithoutGuarantee(estimator), sink));
            decisions += decision.orders().size();
            return decision;
        }
    }

    /** Estimates without the guarantee that longer jobs start no earlier: no query may be skipped. */
    private record WithoutGuarantee(StartEstimator answers) implements StartEstimator {
        @Override
        public void estimate(StartQuery query, StartTimes answer) {
            answers.estimate(query, answer);
            answer.basis(basis());
        }

        @Override
        public Basis basis() {
            return Basis.SIMULATED;
        }
    }
}
