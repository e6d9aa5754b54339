package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Policy;
import io.sheaf.manager.DecisionSink;
import io.sheaf.random.RandomStream;
import io.sheaf.report.BackgroundLoad;
import io.sheaf.report.DecisionLog;
import io.sheaf.report.JobRecord;
import io.sheaf.report.RunRecord;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the record of a run has the figures of the run, and that recording does not change the run. */
class RunRecordPropertiesTest {
    private static final int NODES = 8;
    private static final long MINUTE = 60_000;

    @ParameterizedTest
    @ValueSource(strings = {"auto", "onejob", "onejobpertask", "levelbylevel", "zhang", "glume"})
    void theRecordAgreesWithTheFiguresOfTheRun(String name) {
        for (int seed = 0; seed < 30; seed++) {
            RandomStream random = new RandomStream(seed);
            int cores = random.chance(0.7) ? 1 : 4;
            Workflow workflow = RandomRuns.workflow(random, cores);
            Policy policy = random.chance(0.5) ? Policy.conservative() : Policy.easy();
            SimulatedQueue background = new SimulatedQueue(RandomRuns.background(random, NODES), policy, NODES);
            background.advanceTo(random.nextInt(600) * MINUTE);
            long start = background.now();
            var setup = SimulationSetup.of(Profile.OWN, Resources.node(cores), 6)
                    .taking(TaskTimes.spread(random.chance(0.5) ? 0.4 : 0, seed));
            RunTimes times = new RunTimes(workflow, Profile.OWN.planOrder(), cores);
            var strategy = Strategies.named(name, times, Profile.OWN);
            SimulatedRun plain =
                    WorkflowSimulation.run(background.fork(), workflow, strategy, setup, DecisionSink.NOTHING);
            SimulatedQueue queue = background.fork();
            BackgroundRecorder watch = new BackgroundRecorder(queue, start, BackgroundReports.IGNORED);
            DecisionLog decisions = new DecisionLog();
            SimulatedRun recorded = WorkflowSimulation.run(
                    queue, start, workflow, strategy, setup.recording(true), decisions, watch, null);
            RunRecord record = recorded.record(workflow, name, NODES, cores, decisions.decisions());
            assertThat(figures(recorded)).as(name + " seed " + seed).isEqualTo(figures(plain));
            checkFigures(record, recorded);
            checkOrders(record);
            checkLoad(record, watch.until(queue.now()));
        }
    }

    private static List<Object> figures(SimulatedRun run) {
        return List.of(
                run.completed(),
                run.end(),
                run.waitMillis(),
                run.perceivedWaitMillis(),
                run.usedNodeMillis(),
                run.allocatedNodeMillis(),
                run.jobsSubmitted(),
                run.jobsExpired(),
                run.tasksRerun());
    }

    private static void checkFigures(RunRecord record, SimulatedRun run) {
        assertThat(record.makespanMillis()).isEqualTo(run.makespanMillis());
        assertThat(record.waitMillis()).isEqualTo(run.waitMillis());
        assertThat(record.perceivedWaitMillis()).isEqualTo(run.perceivedWaitMillis());
        assertThat(record.usedNodeMillis()).isEqualTo(run.usedNodeMillis());
        assertThat(record.allocatedNodeMillis()).isEqualTo(run.allocatedNodeMillis());
        assertThat(record.expired()).isEqualTo(run.jobsExpired());
        assertThat(record.retries()).isEqualTo(run.tasksRerun());
    }

    /** Every job was ordered by a decision at its submission, and was expected to start then or later. */
    private static void checkOrders(RunRecord record) {
        for (JobRecord job : record.jobs()) {
            assertThat(job.claim()).isNotEmpty();
            assertThat(job.expectedStart()).isGreaterThanOrEqualTo(job.submitted());
            assertThat(record.decisions())
                    .anyMatch(decision -> decision.at() == job.submitted()
                            && decision.orders().stream().anyMatch(ordered -> ordered.token() == job.token()));
        }
    }

    /** Background and own jobs together never use more nodes than the cluster has, and no count is negative. */
    private static void checkLoad(RunRecord record, BackgroundLoad load) {
        long before = record.start() - 1;
        for (BackgroundLoad.Point point : load.points()) {
            assertThat(point.at()).isGreaterThan(before);
            before = point.at();
            long own = record.jobs().stream()
                    .filter(job -> job.hasStarted() && job.started() <= point.at() && job.ended() > point.at())
                    .mapToLong(JobRecord::nodes)
                    .sum();
            assertThat(point.busy()).isBetween(0, NODES - (int) own);
            assertThat(point.queued()).isNotNegative();
        }
    }
}
