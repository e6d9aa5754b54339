package io.sheaf.sim;

import io.sheaf.manager.Rules;
import io.sheaf.text.InputException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The deviation of actual from expected run times, as text: {@code exact}, {@code noise:S}, {@code estimate-error:S} or
 * {@code estimate-error:S:SHARE:F}.
 *
 * <p>With {@code noise}, in tables {@code spread}, each attempt has a factor of its own, so that a retry may be faster. With {@code estimate-error}, in
 * tables {@code wrong}, all attempts of a task have the same factor, and that share of the tasks takes F times as long in addition; each request after
 * a cut-off is longer, as in real runs.
 *
 * @param lasting whether the attempts of a task all have the same factor
 * @param sigma the deviation of the logarithm of the factors, whose mean is 1
 * @param share of the tasks that take {@code factor} times as long in addition
 */
public record RunTimeDeviation(boolean lasting, double sigma, double share, double factor) {
    /** As expected. */
    public static final RunTimeDeviation EXACT = new RunTimeDeviation(false, 0, 0, 1);

    private static final double MAX_SIGMA = 10;
    private static final double MAX_FACTOR = 1000;

    /** Doubled each time, enough for a thousand times the initial time. */
    private static final int MAX_TIMEOUTS = 12;

    /** Parses the text; throws an exception if it is invalid. */
    public static RunTimeDeviation of(String text) {
        String[] part = text.strip().split(":", -1);
        try {
            RunTimeDeviation read = read(part);
            if (read != null) {
                return read;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new InputException(
                "unknown run times '" + text + "'; write exact, or e.g. noise:0.3 or estimate-error:0.3");
    }

    private static @Nullable RunTimeDeviation read(String[] part) {
        boolean lasting = part[0].equals("estimate-error") || part[0].equals("wrong");
        boolean mixed = lasting && part.length == 4;
        if (part.length == 1 && part[0].equals("exact")) {
            return EXACT;
        }
        if ((part.length != 2 && !mixed) || (!lasting && !part[0].equals("noise") && !part[0].equals("spread"))) {
            return null;
        }
        double sigma = Double.parseDouble(part[1]);
        double share = mixed ? Double.parseDouble(part[2]) : 0;
        double factor = mixed ? Double.parseDouble(part[3]) : 1;
        boolean within =
                sigma >= 0 && sigma <= MAX_SIGMA && share >= 0 && share <= 1 && factor >= 1 && factor <= MAX_FACTOR;
        return within ? new RunTimeDeviation(lasting, sigma, share, factor) : null;
    }

    public TaskTimes times(long seed) {
        if (lasting) {
            return TaskTimes.wrong(sigma, share, factor, seed);
        }
        return sigma == 0 ? TaskTimes.AS_EXPECTED : TaskTimes.spread(sigma, seed);
    }

    /** The rules of a run with such times. */
    public Rules rules(Rules rules) {
        return lasting ? rules.maxTimeouts(MAX_TIMEOUTS) : rules;
    }

    /** The text in tables. */
    @Override
    public String toString() {
        if (!lasting) {
            return sigma == 0 ? "exact" : "spread:" + number(sigma);
        }
        return "wrong:" + number(sigma) + (share == 0 ? "" : ":" + number(share) + ":" + number(factor));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.4f", value);
    }
}
