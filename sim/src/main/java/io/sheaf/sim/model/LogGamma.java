package io.sheaf.sim.model;

import io.sheaf.random.RandomStream;

/**
 * A positive variable whose logarithm has a gamma distribution, times a factor, cut off above: the law of run times and of times
 * between arrivals in the model of Lublin and Feitelson. Values above {@code max} are drawn again.
 */
record LogGamma(double shape, double scale, double factor, double max) {
    private static final int STEPS = 400;

    double sample(RandomStream random) {
        for (int tries = 0; tries < 10_000; tries++) {
            double value = factor * StrictMath.exp(random.gamma(shape, scale));
            if (value <= max) {
                return value;
            }
        }
        throw new IllegalStateException(this + " is nearly always above its largest value");
    }

    double mean() {
        double[] weight = new double[STEPS];
        double[] value = new double[STEPS];
        grid(weight, value);
        double mean = 0;
        for (int i = 0; i < STEPS; i++) {
            mean += weight[i] * value[i];
        }
        return mean;
    }

    /** The distribution as values with weights that sum to 1: the midpoints of equal steps of the logarithm. */
    void grid(double[] weight, double[] value) {
        int steps = weight.length;
        double top = StrictMath.log(max / factor);
        // Nothing beyond 40 standard deviations counts; short steps where the density is high.
        double spread = StrictMath.sqrt(shape) * scale;
        double from = Math.max(0, shape * scale - 12 * spread);
        double to = Math.min(top, shape * scale + 40 * spread);
        if (!(to > from)) {
            throw new IllegalArgumentException("a largest value of " + max + " cuts off all of the distribution");
        }
        double step = (to - from) / steps;
        double peak = Math.min(to, Math.max((shape - 1) * scale, step / 2));
        double sum = 0;
        for (int i = 0; i < steps; i++) {
            double x = from + (i + 0.5) * step;
            weight[i] = StrictMath.exp((shape - 1) * StrictMath.log(x / peak) - (x - peak) / scale);
            value[i] = factor * StrictMath.exp(x);
            sum += weight[i];
        }
        for (int i = 0; i < steps; i++) {
            weight[i] /= sum;
        }
    }
}
