package io.sheaf.predict;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RunTimeDistributionTest {
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    private static final long NO_LIMIT = Long.MAX_VALUE;

    /** A step of the grid is a factor of 2^(1/4), about 1.19. */
    private static void assertNear(long actual, double expected) {
        assertThat(StrictMath.log((double) actual / expected)).isCloseTo(0, Offset.offset(0.18));
    }

    @Test
    void quantilesAreThoseOfTheLognormalPrior() {
        RunTimeDistribution distribution = new RunTimeDistribution(15 * MINUTE, 2.2, 0, NO_LIMIT);
        assertNear(distribution.quantile(0.5), 15 * MINUTE);
        // The normal quantile of 0.9 is 1.2816: 15 min · exp(1.2816 · 2.2) = 251 min.
        assertNear(distribution.quantile(0.9), 251 * MINUTE);
        assertThat(distribution.within(distribution.quantile(0.9))).isCloseTo(0.9, Offset.offset(0.03));
        assertThat(distribution.within(1)).isZero();
        assertThat(distribution.within(Long.MAX_VALUE)).isEqualTo(1);
    }

    /** A task that ran longer than the median leaves the upper half: its median is the third quartile, exp(0.6745 · 2.2) = 4.41 times the median. */
    @Test
    void aTimedOutTaskMovesTheMedian() {
        RunTimeDistribution distribution = new RunTimeDistribution(15 * MINUTE, 2.2, 15 * MINUTE, NO_LIMIT);
        assertNear(distribution.quantile(0.5), 4.41 * 15 * MINUTE);
        assertThat(distribution.within(15 * MINUTE)).isZero();
    }

    @Test
    void aLimitIsNeverExceeded() {
        RunTimeDistribution distribution = new RunTimeDistribution(15 * MINUTE, 2.2, 0, 4 * HOUR);
        assertThat(distribution.quantile(1)).isLessThanOrEqualTo(4 * HOUR);
        assertThat(distribution.within(4 * HOUR)).isEqualTo(1);
        assertThat(distribution.quantile(0.5)).isLessThan(15 * MINUTE);
    }

    @Test
    void aRangeBetweenGridPointsHasQuantiles() {
        RunTimeDistribution narrow = new RunTimeDistribution(15 * MINUTE, 2.2, 3600_001, 3600_002);
        assertThat(narrow.quantile(0.5)).isEqualTo(3600_002);
        assertThat(narrow.within(3600_001)).isZero();
        assertThat(narrow.within(3600_002)).isEqualTo(1);
        assertThat(new RunTimeDistribution(15 * MINUTE, 2.2, 500 * HOUR, NO_LIMIT).quantile(0.5))
                .as("beyond the grid: twice as long")
                .isEqualTo(1000 * HOUR);
    }
}
