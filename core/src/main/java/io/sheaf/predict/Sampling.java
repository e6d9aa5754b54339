package io.sheaf.predict;

import io.sheaf.text.InputException;

/**
 * How a learner selects alternatives and how often it replays observations (Souza et al., 4.4).
 *
 * <p><em>Default</em> is Algorithm 1. <em>Tuned</em> repeats its inner loop with each observed wait: it samples alternatives and scores them with
 * that wait, without a job. <em>Greedy</em> selects the alternative with the least loss so far.
 *
 * @param repetitions how often an observed wait is replayed
 * @param greedy whether the selection is deterministic
 */
public record Sampling(int repetitions, boolean greedy) {
    private static final int PAPER = 50;
    private static final String MORE = "tuned:";

    public static final Sampling DEFAULT = new Sampling(0, false);
    /** With the paper's number of repetitions. */
    public static final Sampling TUNED = new Sampling(PAPER, false);

    public static final Sampling GREEDY = new Sampling(0, true);

    /** {@code default}, {@code tuned}, {@code tuned:20} or {@code greedy}. */
    public static Sampling of(String text) {
        return switch (text) {
            case "default" -> DEFAULT;
            case "greedy" -> GREEDY;
            case "tuned" -> TUNED;
            default -> new Sampling(repetitions(text), false);
        };
    }

    private static int repetitions(String text) {
        try {
            int repetitions = text.startsWith(MORE) ? Integer.parseInt(text.substring(MORE.length())) : 0;
            if (repetitions > 0 && repetitions <= 10_000) {
                return repetitions;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new InputException("there is no sampling '" + text + "'; write default, tuned, tuned:20 or greedy");
    }
}
