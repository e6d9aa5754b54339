package io.sheaf.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sheaf.random.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class QuantileCalibrationTest {
    private static final long HOUR = 3_600_000;
    private static final long MINUTE = 60_000;
    private static final double[] NONE = {};

    /**
     * Waits are drawn between 20 and 40 h, and every estimate is 12 h. After a while the interval contains nine in ten
     * waits, and the median is slightly below 30 h.
     */
    @Test
    void quantilesConvergeToTheObservedWaits() {
        QuantileCalibration high = new QuantileCalibration(0.95, 0, MINUTE);
        QuantileCalibration middle = new QuantileCalibration(0.5, 0, MINUTE);
        QuantileCalibration low = new QuantileCalibration(0.05, 0, MINUTE);
        RandomStream random = new RandomStream(2);
        int inside = 0;
        for (int i = 0; i < 1_500; i++) {
            long wait = (long) ((1 + random.nextDouble()) * 20 * HOUR);
            if (i >= 500) {
                inside += low.of(12 * HOUR, NONE) <= wait && wait <= high.of(12 * HOUR, NONE) ? 1 : 0;
            }
            high.learn(12 * HOUR, wait);
            middle.learn(12 * HOUR, wait);
            low.learn(12 * HOUR, wait);
        }
        assertThat(inside / 1_000.0).isBetween(0.85, 0.95);
        assertThat(middle.of(12 * HOUR, NONE) / (double) HOUR).isBetween(26.0, 31.0);
    }

    @Test
    void theInitialCautionFadesWithObservations() {
        QuantileCalibration calibration = new QuantileCalibration(0.95, StrictMath.log(2), MINUTE);
        assertThat(calibration.of(HOUR, NONE) / (double) HOUR).isCloseTo(2, within(0.1));
        RandomStream random = new RandomStream(5);
        for (int i = 0; i < 300; i++) {
            // Nineteen of twenty waits are below an hour, so that the estimate is the quantile.
            calibration.learn(HOUR, (long) (HOUR * random.nextDouble() / 0.95));
        }
        assertThat(calibration.of(HOUR, NONE) / (double) HOUR).isCloseTo(1, within(0.1));
    }

    /**
     * Jobs that are submitted together have similar errors: ten of them move the median by little, three hundred move
     * it to their wait.
     */
    @Test
    void aFewWaitsMoveTheMedianLittle() {
        QuantileCalibration calibration = new QuantileCalibration(0.5, 0, MINUTE);
        for (int i = 0; i < 10; i++) {
            calibration.learn(HOUR, 4 * HOUR);
        }
        assertThat(calibration.of(HOUR, NONE) / (double) HOUR).isBetween(1.01, 1.2);
        for (int i = 0; i < 290; i++) {
            calibration.learn(HOUR, 4 * HOUR);
        }
        assertThat(calibration.of(HOUR, NONE)).isEqualTo(4 * HOUR);
    }

    /**
     * Half of the jobs waited as estimated; the other half has waited four times as long and still waits. Without the
     * waiting jobs the quantile would stay.
     */
    @Test
    void jobsThatStillWaitCount() {
        QuantileCalibration calibration = new QuantileCalibration(0.75, 0, MINUTE);
        double[] open = new double[100];
        for (int i = 0; i < 100; i++) {
            calibration.learn(HOUR, HOUR);
            open[i] = calibration.score(HOUR, 4 * HOUR);
        }
        assertThat(calibration.of(HOUR, NONE)).isEqualTo(HOUR);
        assertThat(calibration.of(HOUR, open)).isGreaterThan(3 * HOUR);
        // Jobs that have only begun to wait do not count: most of the others waited an hour.
        QuantileCalibration young = new QuantileCalibration(0.5, 0, MINUTE);
        for (int i = 0; i < 100; i++) {
            young.learn(HOUR, i % 5 < 3 ? HOUR : 2 * HOUR);
        }
        double[] begun = new double[100];
        Arrays.fill(begun, young.score(HOUR, 0));
        assertThat(young.of(HOUR, begun)).isEqualTo(HOUR).isEqualTo(young.of(HOUR, NONE));
    }
}
