package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Policy;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.AsaLearner;
import io.sheaf.predict.Geometry;
import io.sheaf.predict.LearnedWaits;
import io.sheaf.random.RandomStream;
import io.sheaf.report.RunRecord;
import io.sheaf.sim.SimulationSetup.Dependencies;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConcurrentRunsTest {
    private static final long MINUTE = 60_000;

    private static SimulationSetup setup() {
        return SimulationSetup.of(Profile.OWN, Resources.node(1), 16);
    }

    /** A chain of stages of 10 minutes: one node, four nodes, one node, four nodes. */
    private static Workflow stages(String name) {
        WorkflowBuilder builder = new WorkflowBuilder(name);
        for (int i = 0; i < 4; i++) {
            int task = builder.task("s" + i);
            builder.time(task, 10 * MINUTE * 1000)
                    .resources(task, i % 2 == 0 ? Resources.ONE_CORE : new Resources(1, 0, 0, 4));
            if (i > 0) {
                builder.edge(task - 1, task);
            }
        }
        return builder.build();
    }

    /** Background jobs that fill eight nodes, so that own jobs have to wait. */
    private static JobLog busy(long seed) {
        RandomStream random = new RandomStream(seed).split("jobs");
        JobLog.Builder log = JobLog.builder();
        long at = 0;
        for (int i = 0; i < 600; i++) {
            at += (long) random.exponential(11 * MINUTE);
            long run = random.between(5, 60) * MINUTE;
            log.add(i, at, run, 2 * run, random.between(1, 5), random.nextInt(5));
        }
        return log.build();
    }

    private static Strategy strategy(String spec, Workflow workflow, LearnedWaits waits) {
        return Strategies.named(spec, new RunTimes(workflow, Profile.OWN.planOrder(), 1), Profile.OWN, waits);
    }

    @ParameterizedTest
    @ValueSource(strings = {"perstage", "bigjob", "asa", "asa-naive:estimate=15m", "glume"})
    void aSingleConcurrentRunEqualsAStandaloneRun(String spec) {
        for (long seed = 0; seed < 5; seed++) {
            SimulatedQueue queue = new SimulatedQueue(busy(seed), Policy.easy(), 8);
            queue.advanceTo(2_000 * MINUTE - 1);
            Workflow workflow = stages("one");
            long start = 2_000 * MINUTE;
            SimulatedRun alone = WorkflowSimulation.run(
                    queue.fork(),
                    start,
                    workflow,
                    strategy(spec, workflow, new LearnedWaits(LearnedWaits.LearnerSettings.PAPER)),
                    setup(),
                    DecisionSink.NOTHING);
            RunRecord same = ConcurrentRuns.run(
                            queue.fork(),
                            start,
                            List.of(workflow),
                            List.of(strategy(spec, workflow, new LearnedWaits(LearnedWaits.LearnerSettings.PAPER))),
                            setup())
                    .get(0);
            assertThat(same.makespanMillis()).isEqualTo(alone.makespanMillis());
            assertThat(same.jobs()).hasSize(alone.jobsSubmitted());
            assertThat(same.allocatedNodeMillis()).isEqualTo(alone.allocatedNodeMillis());
            assertThat(same.perceivedWaitMillis()).isEqualTo(alone.perceivedWaitMillis());
        }
    }

    /** On five nodes, two chains whose wide stages take four: the second one's wide stages wait for the first one's. */
    @Test
    void runsShareTheQueue() {
        SimulatedQueue queue = new SimulatedQueue(JobLog.builder().build(), Policy.easy(), 5);
        List<Workflow> both = List.of(stages("a"), stages("b"));
        LearnedWaits waits = new LearnedWaits(LearnedWaits.LearnerSettings.PAPER);
        List<RunRecord> outcomes = ConcurrentRuns.run(
                queue,
                0,
                both,
                both.stream().map(each -> strategy("perstage", each, waits)).toList(),
                setup());
        assertThat(outcomes.get(0).makespanMillis()).isEqualTo(40 * MINUTE);
        assertThat(outcomes.get(1).makespanMillis()).isEqualTo(50 * MINUTE);
        assertThat(outcomes.get(1).perceivedWaitMillis()).isEqualTo(10 * MINUTE);
        assertThat(outcomes.get(1).allocatedNodeMillis()).isEqualTo(10 * MINUTE * (1 + 4 + 1 + 4));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "asa:estimate=learned",
                "asa:estimate=learned,ahead=queued",
                "asa-naive:estimate=learned",
                "asa-naive:estimate=learned,hold=true"
            })
    void runsShareALearnerAndAllComplete(String spec) {
        for (Dependencies treatment : Dependencies.values()) {
            LearnedWaits waits = new LearnedWaits(LearnedWaits.LearnerSettings.PAPER);
            SimulatedQueue queue = new SimulatedQueue(busy(3), Policy.easy(), 8);
            List<Workflow> all = List.of(stages("a"), stages("b"), stages("c"));
            for (int i = 0; i < 10; i++) {
                long start = (1_000 + 300 * i) * MINUTE;
                queue.advanceTo(start - 1);
                List<Strategy> strategies = new ArrayList<>();
                all.forEach(each -> strategies.add(strategy(spec, each, waits)));
                ConcurrentRuns.run(
                                queue.fork(),
                                start,
                                all,
                                strategies,
                                setup().learning(waits).with(treatment))
                        .forEach(each -> {
                            assertThat(each.completed()).isTrue();
                            assertThat(each.makespanMillis()).isGreaterThanOrEqualTo(40 * MINUTE);
                        });
            }
            AsaLearner wide = Objects.requireNonNull(waits.learner(Geometry.of(4, 11 * MINUTE)));
            assertThat(wide.scored()).isGreaterThan(10);
        }
    }

    /** Wide stages that are submitted ahead of time wait while narrow ones run. */
    @Test
    void submittingAheadShortensRuns() {
        long perStage = 0;
        long ahead = 0;
        for (long seed = 0; seed < 4; seed++) {
            SimulatedQueue queue = new SimulatedQueue(busy(seed), Policy.easy(), 8);
            LearnedWaits waits = new LearnedWaits(LearnedWaits.LearnerSettings.PAPER);
            for (int i = 0; i < 20; i++) {
                long start = (500 + 200 * i) * MINUTE;
                queue.advanceTo(start - 1);
                Workflow one = stages("one");
                perStage += ConcurrentRuns.run(
                                queue.fork(), start, List.of(one), List.of(strategy("perstage", one, waits)), setup())
                        .get(0)
                        .makespanMillis();
                ahead += ConcurrentRuns.run(
                                queue.fork(),
                                start,
                                List.of(one),
                                List.of(strategy("asa:estimate=learned", one, waits)),
                                setup().learning(waits))
                        .get(0)
                        .makespanMillis();
            }
        }
        assertThat(ahead).isLessThan(perStage);
    }
}
