package io.sheaf.sim;

import io.sheaf.predict.IntervalCalibration;

/** The quantiles of forecasts, calibrated by how earlier forecasts fared. */
public final class CalibratedForecast {
    private static final int LAST = Quantiles.LEVELS.length - 1;
    private static final int MEDIAN = LAST / 2;

    private final IntervalCalibration[] intervals = new IntervalCalibration[MEDIAN];

    public CalibratedForecast() {
        for (int i = 0; i < MEDIAN; i++) {
            intervals[i] = new IntervalCalibration(Quantiles.LEVELS[i]);
        }
    }

    /** A job for which these quantiles were drawn has waited so long. */
    public void learn(long[] quantiles, long waited) {
        for (int i = 0; i < MEDIAN; i++) {
            intervals[i].learn(quantiles[i], quantiles[LAST - i], waited);
        }
    }

    /** Quantiles that were drawn, calibrated; the median stays, and the inner interval within the outer one. */
    public long[] of(long[] drawn) {
        long[] quantiles = drawn.clone();
        for (int i = MEDIAN - 1; i >= 0; i--) {
            quantiles[i] = Math.min(quantiles[i + 1], intervals[i].low(drawn[i]));
            quantiles[LAST - i] = Math.max(quantiles[LAST - i - 1], intervals[i].high(drawn[LAST - i]));
        }
        return quantiles;
    }
}
