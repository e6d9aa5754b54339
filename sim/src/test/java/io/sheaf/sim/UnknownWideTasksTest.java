package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Policy;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Strategy;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.Place;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import org.junit.jupiter.api.Test;

/** Tests tasks of unknown times that need more nodes than are free. */
class UnknownWideTasksTest {
    private static final long HOUR = 3_600_000;

    /**
     * 60 of 100 nodes are free, a task needs 64: a job on the free nodes could run no task, and would be released and
     * submitted forever.
     */
    @Test
    void aTaskWiderThanTheFreeNodesStillCompletes() {
        JobLog background =
                JobLog.builder().add(1, 0, 10 * HOUR, 10 * HOUR, 40, 1).build();
        WorkflowBuilder builder = new WorkflowBuilder("wide");
        for (int i = 0; i < 3; i++) {
            int task = builder.task("t" + i);
            builder.category(task, "wide")
                    .time(task, HOUR * 1000)
                    .limit(task, 2 * HOUR * 1000, Place.NONE)
                    .resources(task, new Resources(1, 0, 0, 64));
        }
        Workflow workflow = builder.build();
        SimulationSetup setup = SimulationSetup.of(Profile.OWN, Resources.node(1), 16);
        Workflow shown = KnownTimes.LEARNT.shown(workflow);
        Strategy auto = KnownTimes.LEARNT.strategy(
                shown,
                setup,
                each -> Strategies.named(
                        "auto", new RunTimes(each, Profile.OWN.planOrder(), setup.node()), Profile.OWN));
        SimulatedQueue queue = new SimulatedQueue(background, Policy.easy(), 100);
        queue.advanceTo(HOUR);
        SimulatedRun run = WorkflowSimulation.run(
                queue, HOUR, shown, auto, KnownTimes.LEARNT.setup(setup, workflow), DecisionSink.NOTHING);
        assertThat(run.completed()).isTrue();
        assertThat(run.end()).isLessThan(15 * HOUR);
    }
}
