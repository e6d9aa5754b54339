package io.sheaf.predict;

import io.sheaf.text.InputException;

/** The loss of an expected wait, from 0 to 1. */
@FunctionalInterface
public interface WaitLoss {
    /** Definition (3) of Souza et al.: 0 for the alternative closest to the actual wait, 1 for every other. */
    WaitLoss OPTIMAL = (alternatives, chosen, waited) -> chosen == alternatives.nearest(waited) ? 0 : 1;

    /** The logarithmic distance: 1 for a factor of ten or more. Ten seconds are added to both waits, so that short ones count little. */
    WaitLoss DISTANCE = (alternatives, chosen, waited) -> {
        double ratio = (alternatives.millis(chosen) + 10_000.0) / (waited + 10_000.0);
        return Math.min(1, Math.abs(StrictMath.log10(ratio)));
    };

    double of(Alternatives alternatives, int chosen, long waited);

    static WaitLoss named(String name) {
        return switch (name) {
            case "optimal" -> OPTIMAL;
            case "distance" -> DISTANCE;
            default -> throw new InputException("there is no loss '" + name + "'; write optimal or distance");
        };
    }
}
