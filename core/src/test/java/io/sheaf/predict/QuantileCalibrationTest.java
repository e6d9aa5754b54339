package io.sheaf.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sheaf.random.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class QuantileCalibrationTest {
    private static final long HOUR = 3_600_000;
    private static final long MINUTE = 60_000;
    private static final double[] NOBODY = {};

    /** Waits are drawn between 20 and 40 h, and 12 h are always foretold: after a while the 95 % quantile is near 39 h, the median near 30 h. */
    @Test
    void quantilesGoToWhereTheyShouldBe() {
        QuantileCalibration high = new QuantileCalibration(0.95, 0);
        QuantileCalibration middle = new QuantileCalibration(0.5, 0);
        QuantileCalibration low = new QuantileCalibration(0.05, 0);
        RandomStream random = new RandomStream(2);
        int inside = 0;
        for (int i = 0; i < 1_500; i++) {
            long wait = (long) ((1 + random.nextDouble()) * 20 * HOUR);
            if (i >= 500) {
                inside += low.of(12 * HOUR, NOBODY) <= wait && wait <= high.of(12 * HOUR, NOBODY) ? 1 : 0;
            }
            high.learn(12 * HOUR, wait);
            middle.learn(12 * HOUR, wait);
            low.learn(12 * HOUR, wait);
        }
        assertThat(inside / 1_000.0).isBetween(0.85, 0.95);
        assertThat(middle.of(12 * HOUR, NOBODY) / (double) HOUR).isCloseTo(30, within(2.0));
    }

    @Test
    void atFirstItIsCautiousAndThenForgetsThat() {
        QuantileCalibration calibration = new QuantileCalibration(0.95, StrictMath.log(2));
        assertThat(calibration.of(HOUR, NOBODY)).isEqualTo(2 * HOUR + MINUTE);
        for (int i = 0; i < 18; i++) {
            calibration.learn(HOUR, HOUR);
        }
        // The greatest of 38 scores, the second of 39.
        assertThat(calibration.of(HOUR, NOBODY)).isEqualTo(2 * HOUR + MINUTE);
        calibration.learn(HOUR, HOUR);
        assertThat(calibration.of(HOUR, NOBODY)).isEqualTo(HOUR);
    }

    /** Half of the jobs wait as foretold; the other half has waited four times as long, and goes on. Who looked only at the first half would leave the quantile where it is. */
    @Test
    void whoStillWaitsCounts() {
        QuantileCalibration calibration = new QuantileCalibration(0.75, 0);
        double[] open = new double[100];
        for (int i = 0; i < 100; i++) {
            calibration.learn(HOUR, HOUR);
            open[i] = QuantileCalibration.score(HOUR, 4 * HOUR);
        }
        assertThat(calibration.of(HOUR, NOBODY)).isEqualTo(HOUR);
        assertThat(calibration.of(HOUR, open)).isGreaterThan(3 * HOUR);
        // Those that have hardly begun to wait tell nothing: of the others most wait an hour.
        QuantileCalibration young = new QuantileCalibration(0.5, 0);
        for (int i = 0; i < 100; i++) {
            young.learn(HOUR, i % 5 < 3 ? HOUR : 2 * HOUR);
        }
        double[] begun = new double[100];
        Arrays.fill(begun, QuantileCalibration.score(HOUR, 0));
        assertThat(young.of(HOUR, begun)).isEqualTo(HOUR).isEqualTo(young.of(HOUR, NOBODY));
    }
}
