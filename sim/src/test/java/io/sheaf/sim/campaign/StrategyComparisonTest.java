package io.sheaf.sim.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.sim.BackgroundWait;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the figures of a comparison against values computed by hand. */
class StrategyComparisonTest {
    private static final long SECOND = 1000;
    private static final long HOUR = 3600 * SECOND;

    private final Workflow workflow = new WorkflowBuilder("w").build();

    /**
     * Baseline z: 100, 200 and 400 s. Strategy x: 80, 200 and 500 s: improvements of 20 %, 0 and −25 %, on average −5/3
     * %; it wins once and loses once. The best makespans are 80, 200 and 400 s: x is 0, 0 and 25 % behind, z 25, 0 and
     * 0 %.
     */
    @Test
    void meansWinsAndLossesAreComputed() {
        CampaignResults results = results(new long[][] {{80, 200, 500}, {100, 200, 400}});
        List<StrategyComparison.Row> rows = StrategyComparison.of(results, 0, 1);
        assertThat(rows.get(0))
                .isEqualTo(new StrategyComparison.Row("x", 260, (20.0 + 0 - 25) / 3, 25.0 / 3, 1, 1, 2, 1, 3, 0));
        assertThat(rows.get(1)).isEqualTo(new StrategyComparison.Row("z", 700.0 / 3, 0, 25.0 / 3, 0, 0, 2, 1, 3, 0));
        assertThat(StrategyComparison.meanLowerBoundSeconds(results, 0)).isEqualTo(2);
    }

    /** A run that did not complete is in no mean; it is counted, and loses against a run that completed. */
    @Test
    void failedRunsAreCounted() {
        CampaignResults results = results(new long[][] {{-1, 190, 380}, {100, 200, -1}});
        List<StrategyComparison.Row> rows = StrategyComparison.of(results, 0, 1);
        assertThat(rows.get(0)).isEqualTo(new StrategyComparison.Row("x", 285, 5, 0, 2, 1, 2, 1, 3, 1));
        assertThat(rows.get(0).beats()).as("at 5 %").isTrue();
        assertThat(rows.get(0).isBeaten()).isFalse();
        assertThat(rows.get(1).failed()).isEqualTo(1);
    }

    @Test
    void withoutACompletedRunThereIsNoMean() {
        CampaignResults results = results(new long[][] {{-1}, {-1}});
        StrategyComparison.Row row = StrategyComparison.of(results, 0, 1).get(0);
        assertThat(row.meanMakespanSeconds()).isNaN();
        assertThat(row.meanImprovementPercent()).isNaN();
        assertThat(row.beats()).isFalse();
        assertThat(row.wins() + row.losses()).isZero();
        assertThat(row.failed()).isEqualTo(row.runs()).isEqualTo(1);
    }

    /** Makespans of strategies x and z in seconds, by start; each run allocates two node-hours and uses one. */
    private CampaignResults results(long[][] seconds) {
        int starts = seconds[0].length;
        CampaignResults results = new CampaignResults(List.of(workflow), List.of("x", "z"), starts, Conventions.OWN);
        for (int start = 0; start < starts; start++) {
            results.bound(0, start, (start + 1) * SECOND);
            for (int i = 0; i < seconds.length; i++) {
                long end = seconds[i][start] * SECOND;
                results.ran(
                        0,
                        i,
                        start,
                        new SimulatedRun(
                                end >= 0,
                                "",
                                0,
                                end,
                                end,
                                0,
                                0,
                                HOUR,
                                2 * HOUR,
                                1,
                                0,
                                0,
                                0,
                                0,
                                List.of(),
                                List.of(),
                                BackgroundWait.UNKNOWN));
            }
        }
        return results;
    }
}
