package io.sheaf.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Claim;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Memo;
import io.sheaf.manager.NoEffects;
import io.sheaf.manager.Order;
import io.sheaf.manager.Request;
import io.sheaf.manager.Rules;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import org.junit.jupiter.api.Test;

/** Simulations worked out by hand: four tasks of 30 s, then one of 60 s. */
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
        return new Rollout(times.tasks(), manager(new Nothing()));
    }

    private Manager manager(Strategy strategy) {
        return manager(strategy, workflow);
    }

    private static Manager manager(Strategy strategy, Workflow shown) {
        return new Manager(
                shown,
                TaskOrder.BOTTOM_LEVEL::ranks,
                strategy,
                StartEstimator.UNINFORMED,
                DecisionSink.NOTHING,
                8,
                8,
                Rules.DEFAULT);
    }

    /** A plan whose fallback has one node and starts 1000 seconds after it is submitted. */
    private static Plan plan(Plan.Job... jobs) {
        Plan plan = Plan.empty(Plan.Fallback.of(1, 1_000_000));
        for (Plan.Job job : jobs) {
            plan = plan.with(job);
        }
        return plan;
    }

    /** Two jobs of one node run two tasks each until 60 s. Then join starts in the first, or in that with the most time left if its time is not certain. */
    @Test
    void tasksOfUncertainTimesGoToTheJobWithTheMostTimeLeft() {
        Plan plan = plan(Plan.Job.toSubmit(1, 200_000, 0), Plan.Job.toSubmit(1, 1_000_000, 0));
        assertThat(rollout().simulate(plan).lastEnds()).containsExactly(120_000, 60_000);
        View unknown = new TimedView(manager(new Nothing(), workflow.untimed()), workflow);
        assertThat(new Rollout(times.tasks(), unknown).simulate(plan).lastEnds())
                .containsExactly(60_000, 120_000);
    }

    /** One node from now on: t0 0–30, t1 30–60. Two nodes from 40 on: t2 and t3 40–70; then join 70–130 in the first. Without the second 4 · 30 + 60. */
    @Test
    void tasksGoToTheFirstFreeCore() {
        Rollout rollout = rollout();
        Plan plan = plan(Plan.Job.toSubmit(1, 1_000_000, 0), Plan.Job.toSubmit(2, 1_000_000, 40_000));
        Rollout.Result both = rollout.simulate(plan);
        assertThat(both.end()).isEqualTo(130_000);
        assertThat(both.nodeMillis()).isEqualTo(130_000 + 2 * 30_000);
        assertThat(both.lastEnd(1)).isEqualTo(70_000);
        assertThat(both.isComplete()).isTrue();
        Rollout.Result one = rollout.simulate(plan.cancelling(1));
        assertThat(one.end()).isEqualTo(180_000);
        assertThat(one.nodeMillis()).isEqualTo(180_000);
        assertThat(rollout.simulate(plan).end()).as("pure").isEqualTo(both.end());
    }

    /**
     * Four nodes for 80: join would end at 90. It runs in the fallback, which is submitted at 30 and starts 1000 later.
     */
    @Test
    void onlyTasksThatFitStartAndTheRestGoesToTheFallback() {
        Rollout.Result result = rollout().simulate(plan(Plan.Job.toSubmit(4, 80_000, 0)));
        assertThat(result.isComplete()).isFalse();
        assertThat(result.end()).isEqualTo(30_000 + 1_000_000 + 60_000);
        assertThat(result.nodeMillis()).isEqualTo(4 * 30_000 + 60_000);
    }

    /** One node: 4 · 30 + 60. Three: 30 + 30 + 60. Four: 30 + 60. */
    @Test
    void aSingleJobRunsAllTasks() {
        Rollout rollout = rollout();
        assertThat(rollout.alone(1)).isEqualTo(180_000);
        assertThat(rollout.alone(3)).isEqualTo(120_000);
        assertThat(rollout.alone(4)).isEqualTo(90_000);
        assertThat(rollout.alone(3)).isEqualTo(120_000);
    }

    /**
     * Jobs of one node for 70. The first runs two tasks until 60, the second two more; join does not fit behind them.
     * With waits of 40 each job has started when its predecessor has no more tasks: 60–120 and 120–180. With waits of
     * 100 they start at 100 and 200, and join runs 200–260.
     */
    @Test
    void aChainOfJobsOverlapsItsQueueWaits() {
        Rollout rollout = rollout();
        assertThat(rollout.chained(1, 70_000, 40_000)).isEqualTo(180_000);
        assertThat(rollout.chained(1, 70_000, 100_000)).isEqualTo(260_000);
    }

    /** At 10, two tasks run until 30 in the first job; the other two 20–50 and 50–80 in the second, join 80–140. */
    @Test
    void aDrainingJobFinishesItsTasks() {
        Manager manager = manager(new Submitting());
        NoEffects quiet = new NoEffects();
        manager.settle(0, quiet);
        manager.on(new Event.Started(0, 1, true), quiet);
        manager.on(new Event.Woken(10_000), quiet);
        Plan plan = plan(Plan.Job.of(manager.pilotJob(0), 0), Plan.Job.toSubmit(1, 1_000_000, 20_000));
        Rollout.Result result = new Rollout(times.tasks(), manager).simulate(plan.draining(0));
        assertThat(result.end()).isEqualTo(140_000);
        assertThat(result.nodeMillis()).isEqualTo(2 * 20_000 + 120_000);
    }

    private static class Nothing implements Strategy {
        @Override
        public String name() {
            return "nothing";
        }

        @Override
        public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
            return Decision.nothing(memo);
        }
    }

    private static final class Submitting extends Nothing {
        @Override
        public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
            return Decision.of(memo, new Order.Submit(Request.of(2, 1_000_000), Claim.levels(0, 1)));
        }
    }
}
