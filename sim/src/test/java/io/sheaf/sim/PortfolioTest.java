package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Policy;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.Strategy;
import io.sheaf.random.RandomStream;
import io.sheaf.report.DecisionLog;
import io.sheaf.report.DecisionRecord;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the portfolio in simulated queues. */
class PortfolioTest {
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    private static final int NODES = 16;

    private static Strategy named(String spec, Workflow workflow) {
        return Strategies.named(spec, new RunTimes(workflow, Profile.OWN.planOrder(), 1), Profile.OWN);
    }

    private static SimulatedRun run(
            SimulatedQueue queue, Workflow workflow, String spec, TaskTimes times, DecisionSink sink) {
        SimulationSetup setup = SimulationSetup.of(Profile.OWN, Resources.node(1), 8)
                .taking(times)
                .recording(true);
        return WorkflowSimulation.run(queue, workflow, named(spec, workflow), setup, sink);
    }

    /** Background jobs and own tasks have other run times than expected; a second run equals the first. */
    @ParameterizedTest
    @ValueSource(
            strings = {"portfolio:futures=2,every=30m", "portfolio:of=onejob+glume+onejobpertask,margin=0,futures=2"})
    void thePortfolioCompletesReproducibly(String spec) {
        for (int seed = 0; seed < 3; seed++) {
            RandomStream random = new RandomStream(seed);
            Workflow workflow = RandomRuns.workflow(random, 1);
            JobLog log = RandomRuns.background(random, NODES);
            SimulatedQueue queue =
                    new SimulatedQueue(log, seed % 2 == 0 ? Policy.easy() : Policy.conservative(), NODES);
            queue.advanceTo(6 * HOUR);
            SimulatedQueue copy = queue.fork();
            TaskTimes times = TaskTimes.spread(0.3, seed);
            SimulatedRun run = run(queue, workflow, spec, times, DecisionSink.NOTHING);
            assertThat(run.completed()).as("seed %d", seed).isTrue();
            assertThat(run(copy, workflow, spec, times, DecisionSink.NOTHING)).isEqualTo(run);
        }
    }

    /**
     * Two levels: a task of an hour, then 8 of an hour each. 12 of the 16 nodes are busy for 12 more hours. One job of
     * 8 nodes waits for them and ends after 14 hours. With a job for each task, the first starts at once and the others
     * four at a time: 3 hours.
     */
    @Test
    void thePortfolioChoosesTheStrategyThatEndsFirst() {
        WorkflowBuilder builder = new WorkflowBuilder("two levels");
        int first = builder.task("first");
        builder.time(first, 3_600_000_000L);
        for (int i = 0; i < 8; i++) {
            int task = builder.task("t" + i);
            builder.time(task, 3_600_000_000L);
            builder.edge(first, task);
        }
        Workflow workflow = builder.build();
        JobLog log = JobLog.builder().add(0, 0, 13 * HOUR, 13 * HOUR, 12, 0).build();
        SimulatedRun giant = run(at(log), workflow, "giant", TaskTimes.AS_EXPECTED, DecisionSink.NOTHING);
        assertThat(giant.makespanMillis()).isEqualTo(14 * HOUR);
        DecisionLog decisions = new DecisionLog();
        SimulatedRun run = run(at(log), workflow, "portfolio:of=giant+onejobpertask", TaskTimes.AS_EXPECTED, decisions);
        assertThat(run.makespanMillis()).isEqualTo(3 * HOUR);

        DecisionRecord initial = decisions.decisions().get(0);
        assertThat(initial.options())
                .extracting(DecisionRecord.Option::label)
                .containsExactly("giant, 4 futures", "onejobpertask, 4 futures");
        assertThat(initial.chosen()).isEqualTo("onejobpertask: ends earliest in the mean of 4 futures");
        assertThat(initial.chosenOption()).isEqualTo(1);
    }

    private static SimulatedQueue at(JobLog log) {
        SimulatedQueue queue = new SimulatedQueue(log, Policy.conservative(), NODES);
        queue.advanceTo(HOUR);
        return queue;
    }

    /**
     * After a switch of strategies, no job of the previous strategy remains in the queue beside those of the new one.
     */
    @Test
    void switchesNeverQueueMoreJobsThanTasks() {
        int switches = 0;
        for (int seed = 0; seed < 6; seed++) {
            RandomStream random = new RandomStream(106 + seed);
            Workflow workflow = RandomRuns.workflow(random, 1);
            SimulatedQueue queue = new SimulatedQueue(RandomRuns.background(random, NODES), Policy.easy(), NODES);
            queue.advanceTo(6 * HOUR);
            DecisionLog decisions = new DecisionLog();
            String spec = "portfolio:of=onejob+onejobpertask,margin=0,futures=1,every=20m";
            SimulatedRun run = run(queue, workflow, spec, TaskTimes.AS_EXPECTED, decisions);
            assertThat(run.completed()).isTrue();
            for (DecisionRecord decision : decisions.decisions()) {
                boolean cancels = decision.orders().stream().anyMatch(each -> each.order() instanceof Order.Cancel);
                switches += cancels ? 1 : 0;
            }
            assertThat(maxQueuedJobs(run)).as("seed %d", seed).isLessThanOrEqualTo(workflow.size());
        }
        assertThat(switches).isPositive();
    }

    /**
     * The maximum number of jobs that were queued at one instant: with one job for all tasks, or one for each, at most
     * the number of tasks.
     */
    private static int maxQueuedJobs(SimulatedRun run) {
        int max = 0;
        for (var one : run.pilotJobs()) {
            int queued = 0;
            for (var other : run.pilotJobs()) {
                long until = other.hasStarted() ? other.started() : other.ended();
                queued += other.submitted() <= one.submitted() && one.submitted() < until ? 1 : 0;
            }
            max = Math.max(max, queued);
        }
        return max;
    }

    @Test
    void theMemoIsReadFromItsText() {
        Workflow workflow = RandomRuns.workflow(new RandomStream(3), 1);
        Strategy portfolio = named("portfolio", workflow);
        String text = "glume 1234 77 5";
        assertThat(portfolio.memo(text).text()).isEqualTo(text);
        assertThat(portfolio.memo("auto 5 0 1:2:3:4:5:6:7:8:9").text()).isEqualTo("auto 5 0 1:2:3:4:5:6:7:8:9");
        assertThat(portfolio.memo("")).isSameAs(Memo.NONE);
    }
}
