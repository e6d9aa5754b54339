package io.sheaf.predict;

import io.sheaf.text.InputException;

/** How bad it was to have expected one of the alternatives, from 0 to 1. */
@FunctionalInterface
public interface WaitLoss {
    /** Definition (3) of Souza et al.: 0 for the alternative closest to the real wait, 1 for every other. */
    WaitLoss OPTIMAL = (alternatives, chosen, waited) -> chosen == alternatives.nearest(waited) ? 0 : 1;

    /** How far off it was: 1 if by a factor of ten or more, on waits that are taken ten seconds longer so that short ones count little. */
    WaitLoss DISTANCE = (alternatives, chosen, waited) -> {
        double ratio = (alternatives.millis(chosen) + 10_000.0) / (waited + 10_000.0);
        return Math.min(1, Math.abs(StrictMath.log10(ratio)));
    };

    double of(Alternatives alternatives, int chosen, long waited);

    /** The loss of this name. */
    static WaitLoss named(String name) {
        return switch (name) {
            case "optimal" -> OPTIMAL;
            case "distance" -> DISTANCE;
            default -> throw new InputException("there is no loss '" + name + "'; write optimal or distance");
        };
    }
}
