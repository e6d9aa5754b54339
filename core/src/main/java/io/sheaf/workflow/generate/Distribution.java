package io.sheaf.workflow.generate;

import io.sheaf.random.RandomStream;

/** How a quantity of a generated workflow (a time, a size, a ratio) is spread. */
@FunctionalInterface
interface Distribution {
    double draw(RandomStream random);

    /** Always the same. */
    static Distribution exactly(double value) {
        return random -> value;
    }

    /** Anything from low to high, equally likely. */
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

    /** Draws a size in bytes. */
    default long bytes(RandomStream random) {
        return Math.round(draw(random));
    }
}
