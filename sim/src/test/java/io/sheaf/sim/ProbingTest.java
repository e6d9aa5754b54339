package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Policy;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.TimesInUse;
import io.sheaf.report.Job;
import io.sheaf.strategy.PerWorkflow;
import io.sheaf.strategy.Probing;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workflows whose run times are not known, on a cluster of their own. */
class ProbingTest {
    private static final long MINUTE = 60_000;
    private static final int NODES = 20;

    /** Twelve tasks of half an hour each, then one of two hours. */
    private static Workflow fork() {
        WorkflowBuilder builder = new WorkflowBuilder("fork");
        for (int i = 0; i < 12; i++) {
            int task = builder.task("part" + i);
            builder.category(task, "part").time(task, 30 * MINUTE * 1000);
        }
        int last = builder.task("merge");
        builder.category(last, "merge").time(last, 120 * MINUTE * 1000);
        for (int i = 0; i < 12; i++) {
            builder.edge(i, last);
        }
        return builder.build();
    }

    private static SimulatedRun run(String strategy, boolean learning, TaskTimes taskTimes) {
        return run(strategy, learning ? TimesInUse.Rule.DEFAULT : null, taskTimes);
    }

    private static SimulatedRun run(String strategy, TimesInUse.@Nullable Rule rule, TaskTimes taskTimes) {
        Workflow known = fork();
        Workflow unknown = known.untimed();
        SimulationSetup setup = new SimulationSetup(Profile.OWN, 1, 16, taskTimes, true).unknowing(known, rule);
        PerWorkflow.Maker maker =
                each -> Strategies.named(strategy, new RunTimes(each, Profile.OWN.planOrder(), 1), Profile.OWN);
        Strategy chosen = rule != null ? new Probing(unknown, Profile.OWN, maker) : maker.of(unknown);
        SimulatedQueue queue = new SimulatedQueue(JobLog.builder().build(), Policy.depth(Policy.EASY), NODES);
        return WorkflowSimulation.run(queue, 0, unknown, chosen, setup, DecisionSink.NOTHING);
    }

    @Test
    void theFirstTasksAreProbesAndTheRestIsPlannedByThem() {
        SimulatedRun run = run("onejob", true, TaskTimes.AS_EXPECTED);
        assertThat(run.completed()).isTrue();
        Job first = run.pilotJobs().get(0);
        assertThat(first.nodes()).as("three probes").isEqualTo(3);
        assertThat(first.walltime()).isEqualTo(11 * MINUTE);
        Job second = run.pilotJobs().get(1);
        assertThat(second.walltime())
                .as("twice as long, and twice as much more as they had: that is enough")
                .isEqualTo((22 + 22) * MINUTE);
        Job third = run.pilotJobs().get(2);
        assertThat(third.nodes()).as("all that is left at once").isEqualTo(9);
        // Half an hour each, and as much again for the one behind them. Half as much more was allowed for after the
        // second
        // probe; that it is a third after the third one is no great move.
        assertThat(third.walltime()).isEqualTo((66 + 33) * MINUTE);
        assertThat(run.jobsExpired())
                .as("the last task takes four times as long as was guessed")
                .isEqualTo(2);
    }

    @Test
    void walltimesAreEnoughForTheShareOfTasksThatIsWished() {
        long[] asked = new long[2];
        double[] shares = {0.5, 0.9};
        for (int i = 0; i < shares.length; i++) {
            SimulatedRun run = run("onejob", new TimesInUse.Rule(false, shares[i]), TaskTimes.spread(0.5, 7));
            assertThat(run.completed()).isTrue();
            Job afterProbes = run.pilotJobs().get(1);
            assertThat(afterProbes.nodes())
                    .as("all but what the probes have done")
                    .isEqualTo(11);
            asked[i] = afterProbes.walltime();
        }
        assertThat(asked[0]).isLessThan(asked[1]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"onejob", "glume", "zhang", "levelbylevel", "onejobpertask", "auto", "hybrid", "asa-naive"})
    void probesHelpEveryStrategy(String strategy) {
        for (TaskTimes times : new TaskTimes[] {TaskTimes.AS_EXPECTED, TaskTimes.spread(0.5, 7)}) {
            SimulatedRun blind = run(strategy, false, times);
            SimulatedRun probing = run(strategy, true, times);
            assertThat(probing.completed()).isTrue();
            assertThat(probing.jobsSubmitted()).isLessThan(blind.jobsSubmitted());
            // Nobody waits here, so that jobs which are too short cost those little that ask for each task by itself.
            assertThat((double) probing.makespanMillis())
                    .isLessThan(blind.completed() ? 1.05 * blind.makespanMillis() : Double.MAX_VALUE);
        }
    }
}
