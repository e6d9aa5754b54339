package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Policy;
import io.sheaf.manager.DecisionSink;
import io.sheaf.sim.model.Presets;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a queue made from a scheduler continues like the queue of that scheduler. */
class QueueCopyTest {
    private static final long HOUR = 3_600_000;
    private static final int NODES = 100;
    private static final JobLog NO_JOBS = JobLog.builder().build();
    private static final Workflow WORKFLOW = Families.named("montage").generate(Recipe.of(40, 200 * HOUR * 1000, 3));
    private static final RunTimes TIMES = new RunTimes(WORKFLOW, Profile.OWN.planOrder(), 1);
    private static final SimulationSetup SETUP =
            SimulationSetup.of(Profile.OWN, Resources.node(1), 5).recording(true);
    private static final JobLog LOG = TraceRules.forNodes(NODES)
            .apply(Presets.model("kth-like").generateDays(2, 8))
            .jobs();

    @ParameterizedTest
    @ValueSource(ints = {1, Policy.CONSERVATIVE})
    void aCopyWithoutArrivalsEqualsTheQueueWithoutFuture(int depth) {
        SimulatedQueue queue = new SimulatedQueue(LOG, Policy.depth(depth), NODES);
        boolean waited = false;
        for (int i = 1; i <= 12; i++) {
            queue.advanceTo(13L * i * HOUR);
            SimulatedRun expected = run(queue.withoutFuture());
            assertThat(run(SimulatedQueue.of(queue.engine(), queue.now(), NO_JOBS)))
                    .isEqualTo(expected);
            waited |= expected.waitMillis() > 0;
        }
        assertThat(waited).as("the queue was not always empty").isTrue();
    }

    /** A job that arrives after an hour and uses the whole cluster for ten hours delays the rest of the run. */
    @ParameterizedTest
    @ValueSource(ints = {1, Policy.CONSERVATIVE})
    void aCopySimulatesItsArrivals(int depth) {
        SimulatedQueue empty = new SimulatedQueue(NO_JOBS, Policy.depth(depth), NODES);
        JobLog one =
                JobLog.builder().add(1, HOUR, 10 * HOUR, 10 * HOUR, NODES, 0).build();
        SimulatedRun alone = run(SimulatedQueue.of(empty.engine(), 0, NO_JOBS), "levelbylevel");
        SimulatedRun delayed = run(SimulatedQueue.of(empty.engine(), 0, one), "levelbylevel");
        assertThat(alone.waitMillis()).isZero();
        assertThat(delayed.waitMillis()).isGreaterThan(9 * HOUR);
        assertThat(delayed.makespanMillis()).isGreaterThan(alone.makespanMillis() + 9 * HOUR);
    }

    private static SimulatedRun run(SimulatedQueue queue) {
        return run(queue, "glume");
    }

    private static SimulatedRun run(SimulatedQueue queue, String strategy) {
        return WorkflowSimulation.run(
                queue, WORKFLOW, Strategies.named(strategy, TIMES, Profile.OWN), SETUP, DecisionSink.NOTHING);
    }
}
