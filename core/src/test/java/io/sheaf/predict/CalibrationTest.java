package io.sheaf.predict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CalibrationTest {
    private static final long MINUTE = 60_000;

    /** Ten minutes estimated, five waited: 5 min − 5 s of 16 min. */
    @Test
    void theLossIsTheRelativeErrorBeyondFiveSeconds() {
        assertThat(Calibration.loss(10 * MINUTE, 5 * MINUTE)).isEqualTo(295.0 / 960);
        assertThat(Calibration.loss(MINUTE, MINUTE)).isZero();
        assertThat(Calibration.loss(0, 5_000)).isZero();
    }

    /** One estimator predicts 0 s, the other the mean wait. Jobs start after a second; then the cluster is full. */
    @Test
    void immediateStartsDoNotAffectTheCalibration() {
        Calibration calibration = new Calibration();
        for (int i = 0; i < Calibration.RECENT; i++) {
            calibration.add("engine", 0, 1_000);
            calibration.add("mean-wait", 1_000, 1_000);
        }
        List<String> both = List.of("engine", "mean-wait");
        assertThat(calibration.best(both)).isEqualTo("engine");
        for (int i = 0; i < Calibration.ENOUGH; i++) {
            calibration.add("engine", 0, 30 * MINUTE);
            calibration.add("mean-wait", 20 * MINUTE, 30 * MINUTE);
        }
        assertThat(calibration.best(both)).isEqualTo("mean-wait");
    }
}
