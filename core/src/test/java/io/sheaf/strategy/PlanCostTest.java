package io.sheaf.strategy;

import static io.sheaf.strategy.OnPaper.HOUR;
import static io.sheaf.strategy.OnPaper.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Three tasks of an hour: a node-minute costs 0.3 / 3 = 0.1 minutes, and 2 / 3 more beyond 4 · 3 node-hours; 10 · 3 node-hours are the limit. */
class PlanCostTest {
    private static final long NOW = 5 * MINUTE;

    private static PlanCost cost(long allocatedSoFar, boolean startsAtOnce) {
        return new PlanCost(OnPaper.hours(3).times, Auto.Options.DEFAULT, NOW, allocatedSoFar, startsAtOnce);
    }

    private static Rollout.Result result(long end, long nodeMillis) {
        return new Rollout.Result(end, nodeMillis, true, 0);
    }

    /** 65 − 5 minutes until the end and 0.1 · 180 node-minutes: 78 minutes. */
    @Test
    void theCostSumsMakespanAndNodeTime() {
        assertThat(cost(0, true).of(result(65 * MINUTE, 3 * HOUR))).isCloseTo(78.0 * MINUTE, within(0.01));
    }

    /** 60 + 0.1 · 780 + 2 / 3 · (780 − 720) = 60 + 78 + 40 minutes. */
    @Test
    void nodeTimeBeyondFourTimesTheWorkCostsMore() {
        assertThat(cost(0, true).of(result(65 * MINUTE, 13 * HOUR))).isCloseTo(178.0 * MINUTE, within(0.01));
    }

    /** 5 % of an hour are 3 minutes; no delay is accepted if a job starts at once. */
    @Test
    void aDelayIsAcceptedOnlyIfTheFastestPlanWaits() {
        long hour = NOW + HOUR;
        assertThat(cost(0, false).isInTime(hour + 3 * MINUTE, hour)).isTrue();
        assertThat(cost(0, false).isInTime(hour + 4 * MINUTE, hour)).isFalse();
        assertThat(cost(0, true).isInTime(hour, hour)).isTrue();
        assertThat(cost(0, true).isInTime(hour + 1, hour)).isFalse();
    }

    /**
     * 20 node-hours are spent: 10 more are allowed. A plan of 11 is changed for one of 10.5, a plan of 10 is not
     * changed.
     */
    @Test
    void theLimitCountsAllocatedNodeTime() {
        PlanCost cost = cost(20 * HOUR, true);
        assertThat(cost.isTooMuch(10 * HOUR)).isFalse();
        assertThat(cost.isTooMuch(10 * HOUR + 1)).isTrue();
        assertThat(cost.isSaving(result(0, 21 * HOUR / 2), result(0, 11 * HOUR)))
                .isTrue();
        assertThat(cost.isSaving(result(0, 9 * HOUR), result(0, 10 * HOUR))).isFalse();
    }
}
