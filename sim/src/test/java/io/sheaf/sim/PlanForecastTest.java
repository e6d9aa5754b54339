package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Policy;
import io.sheaf.sim.model.Presets;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the forecast of a run at an instant, from the information of that instant. */
class PlanForecastTest {
    private static final long HOUR = 3_600_000;
    private static final int NODES = 100;
    private static final Workflow WORKFLOW = Families.named("montage").generate(Recipe.of(40, 200 * HOUR * 1000, 3));
    private static final RunTimes TIMES = new RunTimes(WORKFLOW, Profile.OWN.planOrder(), 1);
    private static final SimulationSetup SETUP = SimulationSetup.of(Profile.OWN, Resources.node(1), 5);
    private static final JobLog LOG = TraceRules.forNodes(NODES)
            .apply(Presets.model("kth-like").generateDays(2, 12))
            .jobs();

    /**
     * OneJob's estimate is the start time shown by the batch system plus the run time. Without later arrivals it comes
     * true.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, Policy.CONSERVATIVE})
    void withoutArrivalsOneJobEndsAsEstimated(int depth) {
        SimulatedQueue queue = new SimulatedQueue(LOG, Policy.depth(depth), NODES);
        int waiting = 0;
        for (int i = 0; i < 40; i++) {
            long at = (24 + 5L * i) * HOUR;
            queue.advanceTo(at - 1);
            PlanForecast forecast =
                    PlanForecast.of(queue.fork(), at, WORKFLOW, Strategies.named("onejob", TIMES, Profile.OWN), SETUP);
            assertThat(forecast.makespanMillis()).isEqualTo(forecast.estimateMillis());
            PlanForecast.ForecastJob job = forecast.jobs().get(0);
            assertThat(forecast.jobs()).hasSize(1);
            assertThat(job.tasks()).isEqualTo(WORKFLOW.size());
            assertThat(job.expectedWait()
                            + TIMES.millis(
                                    0, WORKFLOW.levels() - 1, job.request().units()))
                    .isEqualTo(forecast.makespanMillis());
            waiting += job.expectedWait() > 0 ? 1 : 0;
        }
        assertThat(waiting).as("the queue was not always empty").isGreaterThan(3);
    }

    /**
     * Four nodes: one is free, two more are free in an hour, one is busy for long; a job for all of them has not
     * arrived yet. Tasks of an hour request 66 minutes each: the first starts now, two after the hour, the fourth
     * behind the first, the fifth behind the second.
     */
    @Test
    void eachJobIsExpectedBehindEarlierJobs() {
        JobLog log = JobLog.builder()
                .add(1, 0, HOUR / 2, HOUR, 2, 1)
                .add(2, 0, HOUR, 9 * HOUR, 1, 1)
                .add(3, HOUR / 4, HOUR, HOUR, 4, 1)
                .build();
        Workflow bag = Families.named("bag").generate(new Recipe(5, 0, 1, Map.of("time", "1h")));
        RunTimes times = new RunTimes(bag, Profile.OWN.planOrder(), 1);
        SimulatedQueue queue = new SimulatedQueue(log, Policy.conservative(), 4);
        queue.advanceTo(999);
        PlanForecast forecast =
                PlanForecast.of(queue, 1000, bag, Strategies.named("onejobpertask", times, Profile.OWN), SETUP);
        assertThat(forecast.jobs().stream()
                        .map(PlanForecast.ForecastJob::expectedWait)
                        .toList())
                .isEqualTo(List.of(0L, HOUR - 1000, HOUR - 1000, 66 * 60_000L, 66 * 60_000L + HOUR - 1000));
    }

    /**
     * The portfolio first simulates its strategies, in several decisions; the job that it submits then is part of the
     * forecast.
     */
    @Test
    void thePortfolioForecastContainsItsFirstJob() {
        SimulatedQueue queue = new SimulatedQueue(LOG, Policy.depth(1), NODES);
        queue.advanceTo(24 * HOUR - 1);
        SimulationSetup setup = SimulationSetup.of(Profile.OWN, Resources.node(1), 16);
        PlanForecast forecast = PlanForecast.of(queue, 24 * HOUR, TIMES, "portfolio", setup);
        assertThat(forecast.jobs()).isNotEmpty();
    }

    /** Four tasks of unknown times on ten idle nodes: the job that a run would submit is long, and the end is unknown. */
    @Test
    void unknownTimesYieldAJobButNoMakespan() {
        Workflow bag = Families.named("bag").generate(new Recipe(4, 0, 1, Map.of("time", "10s")));
        Workflow untimed = bag.untimed();
        assertThat(untimed.tasksWithoutTime()).isEqualTo(4);
        for (String name : List.of("auto", "onejob")) {
            SimulatedQueue idle = new SimulatedQueue(JobLog.builder().build(), Policy.conservative(), 10);
            RunTimes times = new RunTimes(untimed, Profile.OWN.planOrder(), 1);
            PlanForecast forecast = PlanForecast.of(idle, 0, times, name, SETUP);
            assertThat(forecast.makespanMillis()).isEqualTo(-1);
            assertThat(forecast.estimateMillis()).isEqualTo(-1);
            assertThat(forecast.jobs()).hasSize(1);
            PlanForecast.ForecastJob job = forecast.jobs().get(0);
            assertThat(job.request().units()).isEqualTo(4);
            assertThat(job.request().walltime()).as(name).isGreaterThan(HOUR / 4);
        }
    }
}
