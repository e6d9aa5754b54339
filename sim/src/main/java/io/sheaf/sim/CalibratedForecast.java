package io.sheaf.sim;

import io.sheaf.predict.IntervalCalibration;

/** The quantiles of forecasts, calibrated by how earlier forecasts fared. */
public final class CalibratedForecast {
    private final IntervalCalibration outer = new IntervalCalibration(Quantiles.levels()[0]);
    private final IntervalCalibration inner = new IntervalCalibration(Quantiles.levels()[1]);

    /** A job for which these quantiles were drawn has waited so long. */
    public void learn(Quantiles drawn, long waited) {
        outer.learn(drawn.low90(), drawn.high90(), waited);
        inner.learn(drawn.low50(), drawn.high50(), waited);
    }

    /** Quantiles that were drawn, calibrated; the median stays, and the inner interval within the outer one. */
    public Quantiles of(Quantiles drawn) {
        long low50 = Math.min(drawn.median(), inner.low(drawn.low50()));
        long high50 = Math.max(drawn.median(), inner.high(drawn.high50()));
        return new Quantiles(
                Math.min(low50, outer.low(drawn.low90())),
                low50,
                drawn.median(),
                high50,
                Math.max(high50, outer.high(drawn.high90())));
    }
}
