package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.batch.Policy;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Lookahead;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import io.sheaf.random.RandomStream;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests that questions about a simulated run are answered in steps of limited effort. */
class SimulatedLookaheadTest {
    private static final long HOUR = 3_600_000;
    private static final int NODES = 16;

    private final Workflow workflow = RandomRuns.workflow(new RandomStream(1), 1);
    private final Strategy auto =
            Strategies.named("auto", new RunTimes(workflow, Profile.OWN.planOrder(), 1), Profile.OWN);
    private final SimulationSetup setup = SimulationSetup.of(Profile.OWN, Resources.node(1), 8);
    private final SimulatedQueue queue =
            new SimulatedQueue(RandomRuns.background(new RandomStream(1), NODES), Policy.easy(), NODES);

    SimulatedLookaheadTest() {
        queue.advanceTo(6 * HOUR);
    }

    private Manager manager() {
        return WorkflowSimulation.manager(queue, workflow, auto, setup, DecisionSink.NOTHING);
    }

    /** Simulates the same future a number of times. */
    private final class RepeatedSimulation implements Lookahead.Question<List<Long>> {
        private final Lookahead.Fork fork;
        private final int times;
        private final List<Long> ends = new ArrayList<>();
        private Lookahead.@Nullable SteppedSimulation running;

        RepeatedSimulation(Lookahead.Fork fork, int times) {
            this.fork = fork;
            this.times = times;
        }

        @Override
        public @Nullable List<Long> proceed(long effort) {
            long left = effort;
            while (left > 0 && ends.size() < times) {
                Lookahead.SteppedSimulation simulation =
                        running == null ? fork.simulate(auto, Memo.NONE, 0, Decision.NEVER) : running;
                long spent = simulation.step();
                left -= spent;
                running = spent == 0 ? null : simulation;
                if (spent == 0) {
                    ends.add(simulation.end());
                }
            }
            return ends.size() < times ? null : ends;
        }

        @Override
        public List<Long> conclude() {
            return ends;
        }
    }

    private SimulatedLookahead lookahead() {
        return new SimulatedLookahead(queue::known, queue.now(), workflow, setup, manager());
    }

    /** Many simulations take several steps. The run continues between them, which does not change the answer. */
    @Test
    void answersReferToTheInstantOfTheQuestion() {
        SimulatedLookahead lookahead = lookahead();
        List<Long> once = lookahead().find(fork -> new RepeatedSimulation(fork, 1));
        assertThat(once).isNotNull().hasSize(1);
        int times = 600;
        List<Long> found = null;
        int queries = 0;
        while (found == null && queries < times) {
            found = lookahead.find(fork -> new RepeatedSimulation(fork, times));
            queries++;
            queue.advanceTo(queue.now() + HOUR / 4);
        }
        assertThat(queries).isBetween(3, times - 1);
        assertThat(found).hasSize(times).hasSameElementsAs(once);
    }

    /** Effort does not depend on the machine. */
    @Test
    void effortIsReproducible() {
        assertThat(effort()).isPositive().isEqualTo(effort());
    }

    private long effort() {
        Lookahead.SteppedSimulation simulation = new RunForks(queue.now(), workflow, setup)
                .fork(queue.known(), manager())
                .simulate(auto, Memo.NONE, 0, Decision.NEVER);
        long sum = 0;
        for (long step = simulation.step(); step > 0; step = simulation.step()) {
            sum += step;
        }
        assertThat(simulation.end()).isLessThan(Decision.NEVER);
        assertThat(simulation.step()).isZero();
        return sum;
    }

    /** An exception of a strategy is thrown by the step and ends the simulation. */
    @Test
    void exceptionsOfStrategiesArePropagated() {
        Strategy broken = new Strategy() {
            @Override
            public String name() {
                return "broken";
            }

            @Override
            public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
                throw new IllegalStateException("cannot decide");
            }
        };
        Lookahead.SteppedSimulation simulation = new RunForks(queue.now(), workflow, setup)
                .fork(queue.known(), manager())
                .simulate(broken, Memo.NONE, 0, Decision.NEVER);
        assertThatThrownBy(simulation::step).hasMessage("cannot decide");
        assertThat(simulation.step()).isZero();
        assertThat(simulation.end()).isEqualTo(Decision.NEVER);
    }
}
