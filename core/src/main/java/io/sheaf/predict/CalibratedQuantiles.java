package io.sheaf.predict;

import java.util.List;

/** Quantiles of waits, calibrated by how wrong earlier ones were. */
public final class CalibratedQuantiles {
    /** By what factors quantiles are moved at first, as logarithms: too narrow is worse than too wide. */
    private static final double[] AT_FIRST = {-0.3, -0.1, 0, 0.1, 0.4};

    private static final long MINUTE = 60_000;

    private final QuantileCalibration[] calibrations = new QuantileCalibration[AT_FIRST.length];

    public CalibratedQuantiles() {
        this(MINUTE);
    }

    /**
     * One for a queue in which everything happens faster.
     *
     * @param minute what is as short there as a minute in others, in milliseconds
     */
    public CalibratedQuantiles(long minute) {
        for (int i = 0; i < calibrations.length; i++) {
            calibrations[i] = new QuantileCalibration(Quantiles.levels()[i], AT_FIRST[i], minute);
        }
    }

    /**
     * A job for which quantiles were estimated, and which has not started.
     *
     * @param drawn before it was calibrated
     */
    public record Waiting(Quantiles drawn, long soFar) {}

    /** A job for which these quantiles were drawn has waited so long. */
    public void learn(Quantiles drawn, long waited) {
        for (int i = 0; i < calibrations.length; i++) {
            calibrations[i].learn(drawn.values()[i], waited);
        }
    }

    /** Quantiles that were drawn, calibrated; the intervals hold the median, and the outer one the inner one. */
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
