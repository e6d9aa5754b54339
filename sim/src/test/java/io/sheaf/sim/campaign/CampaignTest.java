package io.sheaf.sim.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.manager.DecisionSink;
import io.sheaf.report.JobRecord;
import io.sheaf.sim.BackgroundCost;
import io.sheaf.sim.BackgroundWait;
import io.sheaf.sim.Checkpoints;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.KnownTimes;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.TaskTimes;
import io.sheaf.sim.TraceRules;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.sim.model.Presets;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that results do not depend on the number of threads, and that no makespan is below the lower bound. */
class CampaignTest {
    private static final long HOUR = 3_600_000;
    private static final int NODES = 100;
    private static final int STARTS = 6;

    private static final JobLog LOG = TraceRules.forNodes(NODES)
            .apply(Presets.model("kth-like").generateDays(5, 12))
            .jobs();

    private static final List<Workflow> WORKFLOWS =
            List.of(generated("montage", 40, 60), generated("random", 30, 300), generated("forkjoin", 25, 20));

    private static Workflow generated(String family, int tasks, int hours) {
        return Families.named(family).generate(Recipe.of(tasks, hours * HOUR * 1000, 3));
    }

    private static Campaign campaign(Conventions conventions, TaskTimes times) {
        long[] starts = new long[STARTS];
        for (int i = 0; i < STARTS; i++) {
            starts[i] = (24 + 7L * i) * HOUR;
        }
        var setup =
                SimulationSetup.of(conventions.profile(), Resources.node(1), 8).taking(times);
        return new Campaign(
                LOG,
                conventions.policy(),
                NODES,
                starts,
                conventions,
                setup,
                WORKFLOWS,
                Strategies.SINGLE,
                KnownTimes.GIVEN,
                false);
    }

    @ParameterizedTest
    @EnumSource(names = {"OWN", "THESIS"})
    void resultsDoNotDependOnThreadsAndRespectTheBound(Conventions conventions) {
        TaskTimes times = conventions == Conventions.OWN ? TaskTimes.spread(0.1, 7) : TaskTimes.AS_EXPECTED;
        CampaignResults one = campaign(conventions, times).run(1, (runs, all) -> {});
        List<SimulatedRun> expected = all(one);
        for (int threads : new int[] {2, 5}) {
            AtomicLong done = new AtomicLong();
            CampaignResults many = campaign(conventions, times).run(threads, (runs, all) -> {
                assertThat(runs).isEqualTo(done.addAndGet(Strategies.SINGLE.size()));
                assertThat(all).isEqualTo(expected.size());
            });
            assertThat(done.get()).isEqualTo(expected.size());
            assertThat(all(many)).isEqualTo(expected);
            assertThat(StrategyComparison.of(many, 1, 0)).isEqualTo(StrategyComparison.of(one, 1, 0));
        }
        for (int w = 0; w < WORKFLOWS.size(); w++) {
            for (int start = 0; start < STARTS; start++) {
                for (int s = 0; s < Strategies.SINGLE.size(); s++) {
                    assertThat(one.makespanMillis(w, s, start))
                            .isGreaterThanOrEqualTo(one.lowerBoundMillis(w, start))
                            .isPositive();
                }
            }
        }
    }

    private static List<SimulatedRun> all(CampaignResults results) {
        List<SimulatedRun> all = new ArrayList<>();
        for (int w = 0; w < WORKFLOWS.size(); w++) {
            for (int s = 0; s < Strategies.SINGLE.size(); s++) {
                for (int start = 0; start < STARTS; start++) {
                    all.add(results.run(w, s, start));
                }
            }
        }
        return all;
    }

    /** The third query of the task time is in the second run: the lower bound and each run query it once. */
    @Test
    void anExceptionFailsOnlyItsOwnRun() {
        List<SimulatedRun> expected =
                all(campaign(Conventions.OWN, TaskTimes.AS_EXPECTED).run(1, (runs, all) -> {}));
        int[] queries = new int[1];
        CampaignResults results = campaign(Conventions.OWN, (workflow, task, attempt) -> {
                    if (workflow == WORKFLOWS.get(0) && task == 0 && ++queries[0] == 3) {
                        throw new IllegalStateException("no time for it");
                    }
                    return TaskTimes.AS_EXPECTED.millis(workflow, task, attempt);
                })
                .run(1, (runs, all) -> {});
        SimulatedRun broken = results.run(0, 1, 0);
        assertThat(broken.completed()).isFalse();
        assertThat(broken.reason()).contains("no time for it");
        List<SimulatedRun> actual = all(results);
        int place = actual.indexOf(broken);
        actual.set(place, expected.get(place));
        assertThat(actual).isEqualTo(expected);
    }

    /** Starts under conservative backfilling are never later than predicted, and every pilot job that started has a prediction. */
    @Test
    void recordedPilotJobsHaveExpectedStarts() {
        var setup = SimulationSetup.of(Conventions.OWN.profile(), Resources.node(1), 8)
                .recording(true);
        Campaign campaign = new Campaign(
                LOG,
                Policy.conservative(),
                NODES,
                new long[] {24 * HOUR},
                Conventions.OWN,
                setup,
                WORKFLOWS,
                List.of("onejob", "onejobpertask"),
                KnownTimes.GIVEN,
                false);
        CampaignResults results = campaign.run(1, (runs, all) -> {});
        for (int w = 0; w < WORKFLOWS.size(); w++) {
            assertThat(results.run(w, 1, 0).pilotJobs()).hasSizeGreaterThan(20).allMatch(JobRecord::wasExpected);
            assertThat(results.run(w, 0, 0).pilotJobs())
                    .singleElement()
                    .satisfies(job -> assertThat(job.expectedStart()).isBetween(job.started(), Long.MAX_VALUE));
        }
    }

    /** Measuring the cost to background jobs does not change a run, and agrees with a separate measurement. */
    @Test
    void theCostToBackgroundJobsIsMeasuredOnRequest() {
        var setup = SimulationSetup.of(Conventions.OWN.profile(), Resources.node(1), 8);
        long[] starts = {24 * HOUR, 30 * HOUR};
        List<String> strategies = List.of("onejob", "onejobpertask");
        Policy policy = Policy.easy();
        CampaignResults plain = new Campaign(
                        LOG,
                        policy,
                        NODES,
                        starts,
                        Conventions.OWN,
                        setup,
                        WORKFLOWS,
                        strategies,
                        KnownTimes.GIVEN,
                        false)
                .run(1, (runs, all) -> {});
        CampaignResults measured = new Campaign(
                        LOG,
                        policy,
                        NODES,
                        starts,
                        Conventions.OWN,
                        setup,
                        WORKFLOWS,
                        strategies,
                        KnownTimes.GIVEN,
                        true)
                .run(2, (runs, all) -> {});
        Checkpoints background = new Checkpoints(LOG, policy, NODES, starts, BatchEngine.NEVER);
        BackgroundCost cost = new BackgroundCost(background.baseline(), 7 * 24 * HOUR);
        SimulatedQueue fork = background.fork(1);
        cost.begin(fork);
        RunTimes times = new RunTimes(WORKFLOWS.get(0), setup.profile().planOrder(), 1);
        WorkflowSimulation.run(
                fork,
                starts[1],
                WORKFLOWS.get(0),
                Strategies.named("onejobpertask", times, setup.profile()),
                setup,
                DecisionSink.NOTHING,
                cost,
                null);
        cost.finish(fork);
        assertThat(measured.run(0, 1, 1).background()).isEqualTo(cost.backgroundWait());
        assertThat(cost.backgroundWait().meanSeconds()).isNotZero();
        for (int w = 0; w < WORKFLOWS.size(); w++) {
            for (int i = 0; i < 4; i++) {
                SimulatedRun run = measured.run(w, i / 2, i % 2);
                assertThat(run.background().isKnown()).isTrue();
                assertThat(run.with(run.pilotJobs(), BackgroundWait.UNKNOWN)).isEqualTo(plain.run(w, i / 2, i % 2));
            }
        }
    }

    @Test
    void aFailureInAThreadIsRethrown() {
        Campaign campaign = campaign(Conventions.OWN, (workflow, task, attempt) -> {
            throw new IllegalStateException("no times");
        });
        assertThatThrownBy(() -> campaign.run(3, (runs, all) -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no times");
    }

    @Test
    void anUnknownStrategyIsRefusedBeforeAnyRun() {
        var setup = SimulationSetup.of(Conventions.OWN.profile(), Resources.node(1), 8);
        assertThatThrownBy(() -> new Campaign(
                        LOG,
                        Policy.easy(),
                        NODES,
                        new long[] {HOUR},
                        Conventions.OWN,
                        setup,
                        WORKFLOWS,
                        List.of("onejob", "glum"),
                        KnownTimes.GIVEN,
                        false))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("'glum'");
    }
}
