package io.sheaf.sim.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.batch.Policy;
import io.sheaf.report.JobRecord;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.KnownTimes;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.TraceRules;
import io.sheaf.sim.model.Presets;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests that the search with a known future is never slower than a strategy, uses early ends of jobs, and is
 * reproducible.
 */
class HindsightTest {
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;

    private static CampaignResults results(JobLog log, int nodes, long[] starts, Workflow workflow, String... names) {
        var setup = SimulationSetup.of(Conventions.OWN.profile(), Resources.node(1), 8);
        return new Campaign(
                        log,
                        Policy.easy(),
                        nodes,
                        starts,
                        Conventions.OWN,
                        setup,
                        List.of(workflow),
                        List.of(names),
                        KnownTimes.GIVEN,
                        false)
                .run(1, (runs, all) -> {});
    }

    /** Two tasks of an hour. */
    private static Workflow pair() {
        WorkflowBuilder builder = new WorkflowBuilder("pair");
        builder.time(builder.task("a"), HOUR * 1000);
        builder.time(builder.task("b"), HOUR * 1000);
        return builder.build();
    }

    /**
     * Two tasks of an hour, two nodes, one of which is requested for ten hours and free after six minutes. By the
     * requests one node is best, with two hours. Two nodes end after 1:06.
     */
    @Test
    void hindsightKnowsThatAJobEndsEarly() {
        JobLog.Builder log = JobLog.builder();
        log.add(1, 0, 6 * MINUTE, 10 * HOUR, 1, 0);
        Workflow two = pair();
        CampaignResults results = results(log.build(), 2, new long[] {MINUTE}, two, "onejob", "hindsight");
        assertThat(results.makespanMillis(0, 0, 0)).isEqualTo(2 * HOUR);
        assertThat(results.makespanMillis(0, 1, 0)).isEqualTo(5 * MINUTE + HOUR);
    }

    @Test
    void hindsightIsBestWithinTheBoundAndReproducible() {
        JobLog log = TraceRules.forNodes(100)
                .apply(Presets.model("kth-like").generateDays(5, 12))
                .jobs();
        Workflow montage = Families.named("montage").generate(Recipe.of(40, 60 * HOUR * 1000, 3));
        long[] starts = {24 * HOUR, 40 * HOUR, 71 * HOUR};
        String[] names = {"hindsight:evaluations=60", "auto", "onejob", "onejobpertask"};
        CampaignResults first = results(log, 100, starts, montage, names);
        CampaignResults second = results(log, 100, starts, montage, names);
        for (int start = 0; start < starts.length; start++) {
            long found = first.makespanMillis(0, 0, start);
            assertThat(found)
                    .isGreaterThanOrEqualTo(first.lowerBoundMillis(0, start))
                    .isLessThanOrEqualTo(first.makespanMillis(0, 1, start))
                    .isLessThanOrEqualTo(first.makespanMillis(0, 2, start))
                    .isLessThanOrEqualTo(first.makespanMillis(0, 3, start));
            assertThat(second.run(0, 0, start)).isEqualTo(first.run(0, 0, start));
            for (int i = 0; i < names.length; i++) {
                assertLoadMatchesJobs(first.run(0, i, start));
            }
        }
        // The best of a comparison is the best strategy.
        assertThat(StrategyComparison.of(first, 0, 1).get(0).meanDegradationFromBestPercent())
                .isLessThanOrEqualTo(0);
    }

    /** Jobs that never started were cancelled; jobs that started release the rest of their walltime. */
    private static void assertLoadMatchesJobs(SimulatedRun run) {
        int cancelled = 0;
        long released = 0;
        for (JobRecord job : run.pilotJobs()) {
            cancelled += job.hasStarted() ? 0 : 1;
            released += job.hasStarted() ? job.nodes() * (job.walltime() - (job.ended() - job.started())) : 0;
        }
        assertThat(run.jobsCancelledQueued()).isEqualTo(cancelled);
        assertThat(run.givenBackNodeMillis()).isEqualTo(released).isPositive();
    }

    @Test
    void aWrongBudgetOrMissingStrategyIsRefused() {
        Workflow two = pair();
        JobLog none = JobLog.builder().build();
        for (String wrong : List.of("hindsight:evaluations=0", "hindsight:evaluations=many", "hindsight:depth=3")) {
            assertThatThrownBy(() -> results(none, 2, new long[] {0}, two, "onejob", wrong))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("hindsight:evaluations=N");
        }
        assertThatThrownBy(() -> results(none, 2, new long[] {0}, two, "hindsight"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("other strategies; add one");
    }
}
