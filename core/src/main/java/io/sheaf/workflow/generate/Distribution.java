package io.sheaf.workflow.generate;

import io.sheaf.random.RandomStream;

/** The distribution of a quantity of a generated workflow (a time, a size, a ratio). */
@FunctionalInterface
interface Distribution {
    double draw(RandomStream random);

    static Distribution exactly(double value) {
        return random -> value;
    }

    /** Uniform from low to high. */
    static Distribution uniform(double low, double high) {
        return random -> random.uniform(low, high);
    }

    /**
     * Normal with this mean and relative deviation, truncated at half the mean on either side. A relative deviation of 0.25 keeps 95 % of
     * the normal; the larger it is, the closer to uniform.
     */
    static Distribution bell(double mean, double relativeDeviation) {
        return random -> {
            double x;
            do {
                x = relativeDeviation * random.gaussian();
            } while (Math.abs(x) > 0.5);
            return mean * (1 + x);
        };
    }

    /** Samples a size in bytes. */
    default long bytes(RandomStream random) {
        return Math.round(draw(random));
    }
}
