package io.sheaf.predict;

import java.util.List;

/** Quantiles of waits, calibrated by the errors of earlier ones. */
public final class CalibratedQuantiles {
    /** The initial correction factors as logarithms: too narrow is worse than too wide. */
    private static final double[] AT_FIRST = {-0.3, -0.1, 0, 0.1, 0.4};

    private static final long MINUTE = 60_000;

    private final QuantileCalibration[] calibrations = new QuantileCalibration[AT_FIRST.length];

    public CalibratedQuantiles() {
        this(MINUTE);
    }

    /**
     * For a queue with another time scale.
     *
     * @param minute the time that corresponds to a minute in other queues, in milliseconds
     */
    public CalibratedQuantiles(long minute) {
        for (int i = 0; i < calibrations.length; i++) {
            calibrations[i] = new QuantileCalibration(Quantiles.levels()[i], AT_FIRST[i], minute);
        }
    }

    /**
     * A queued job with estimated quantiles.
     *
     * @param drawn before calibration
     */
    public record Waiting(Quantiles drawn, long soFar) {}

    /** Records the wait of a job with these sampled quantiles. */
    public void learn(Quantiles drawn, long waited) {
        for (int i = 0; i < calibrations.length; i++) {
            calibrations[i].learn(drawn.values()[i], waited);
        }
    }

    /** Calibrates sampled quantiles. The intervals contain the median, and the outer one contains the inner one. */
    public Quantiles of(Quantiles drawn, List<Waiting> waiting) {
        long[] moved = new long[calibrations.length];
        for (int i = 0; i < moved.length; i++) {
            int level = i;
            double[] open = waiting.stream()
                    .mapToDouble(each -> calibrations[level].score(each.drawn.values()[level], each.soFar))
                    .toArray();
            moved[i] = calibrations[i].of(drawn.values()[i], open);
        }
        long low50 = Math.min(moved[2], moved[1]);
        long high50 = Math.max(moved[2], moved[3]);
        return new Quantiles(Math.min(low50, moved[0]), low50, moved[2], high50, Math.max(high50, moved[4]));
    }
}
