package io.sheaf.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Claim;
import io.sheaf.manager.Considered;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Memo;
import io.sheaf.manager.NoEffects;
import io.sheaf.manager.Order;
import io.sheaf.manager.Request;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import org.junit.jupiter.api.Test;

/** What a set of pilot jobs would come to, on paper: four tasks of 30 s, then one of 60 s. */
class RolloutTest {
    private final Workflow workflow = fork();
    private final RunTimes times = new RunTimes(workflow, TaskOrder.BOTTOM_LEVEL, 1);

    private static Workflow fork() {
        WorkflowBuilder builder = new WorkflowBuilder("fork");
        for (int i = 0; i < 4; i++) {
            builder.time(builder.task("t" + i), 30_000_000);
        }
        builder.time(builder.task("join"), 60_000_000);
        for (int i = 0; i < 4; i++) {
            builder.edge(i, 4);
        }
        return builder.build();
    }

    private Rollout rollout() {
        Rollout rollout = new Rollout(
                times.tasks(),
                new Manager(
                        workflow,
                        TaskOrder.BOTTOM_LEVEL::ranks,
                        new Nothing(),
                        StartEstimator.UNINFORMED,
                        Considered.NOTHING,
                        8,
                        1,
                        8));
        rollout.rest(1, 1_000_000);
        return rollout;
    }

    @Test
    void tasksGoToWhoeverHasACoreFirst() {
        Rollout rollout = rollout();
        // One node from now on: t0 0–30, t1 30–60. Two nodes from 40 on: t2 and t3 40–70; then join 70–130 in the
        // first.
        rollout.add(1, 0, 1_000_000, 1);
        int late = rollout.add(2, 40_000, 1_000_000, 2);
        rollout.play();
        assertThat(rollout.end()).isEqualTo(130_000);
        assertThat(rollout.held()).isEqualTo(130_000 + 2 * 30_000);
        assertThat(rollout.lastEnd(late)).isEqualTo(70_000);
        assertThat(rollout.leftARest()).isFalse();
        // Without the second: 4 · 30 + 60.
        rollout.leaveOut(late, true);
        rollout.play();
        assertThat(rollout.end()).isEqualTo(180_000);
        assertThat(rollout.held()).isEqualTo(180_000);
    }

    @Test
    void onlyWhatFitsIsBegunAndTheRestIsAskedForLater() {
        Rollout rollout = rollout();
        // Four nodes for 80: join would end at 90. It is asked for at 30 and starts 1000 later.
        rollout.add(1, 0, 80_000, 4);
        rollout.play();
        assertThat(rollout.leftARest()).isTrue();
        assertThat(rollout.end()).isEqualTo(30_000 + 1_000_000 + 60_000);
        assertThat(rollout.held()).isEqualTo(4 * 30_000 + 60_000);
        assertThat(rollout.size()).as("the rest is not of the set").isEqualTo(1);
    }

    @Test
    void alone() {
        Rollout rollout = rollout();
        rollout.add(1, 0, 1_000_000, 4);
        assertThat(rollout.alone(1)).isEqualTo(180_000);
        assertThat(rollout.alone(3)).isEqualTo(120_000);
        assertThat(rollout.alone(4)).isEqualTo(90_000);
        rollout.play();
        assertThat(rollout.end()).as("what was there is there again").isEqualTo(90_000);
    }

    @Test
    void aDraindOneFinishesWhatItRuns() {
        Manager manager = new Manager(
                workflow,
                TaskOrder.BOTTOM_LEVEL::ranks,
                new Submitting(),
                StartEstimator.UNINFORMED,
                Considered.NOTHING,
                8,
                1,
                8);
        NoEffects quiet = new NoEffects();
        manager.settle(0, quiet);
        manager.on(new Event.Started(0, 1, true), quiet);
        manager.on(new Event.Woken(10_000), quiet);
        Rollout rollout = new Rollout(times.tasks(), manager);
        rollout.rest(1, 1_000_000);
        rollout.add(manager.pilotJob(0), 0);
        rollout.add(9, 20_000, 1_000_000, 1);
        // Two run until 30 in the first; the other two 20–50 and 50–80 in the second, join 80–140.
        rollout.drain(0, true);
        rollout.play();
        assertThat(rollout.end()).isEqualTo(140_000);
        assertThat(rollout.held()).isEqualTo(2 * 20_000 + 120_000);
    }

    private static class Nothing implements Strategy {
        @Override
        public String name() {
            return "nothing";
        }

        @Override
        public Decision decide(View view, Memo memo, StartEstimator estimator, Considered considered) {
            return Decision.nothing(memo);
        }
    }

    private static final class Submitting extends Nothing {
        @Override
        public Decision decide(View view, Memo memo, StartEstimator estimator, Considered considered) {
            return Decision.of(memo, new Order.Submit(Request.of(2, 1_000_000), Claim.levels(0, 1)));
        }
    }
}
