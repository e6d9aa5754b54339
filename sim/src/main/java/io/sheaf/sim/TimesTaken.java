package io.sheaf.sim;

import io.sheaf.manager.Rules;
import io.sheaf.text.InputException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How far the times that tasks take are from those that are expected of them, as it is written: {@code exact}, {@code spread:S}, {@code wrong:S} or
 * {@code wrong:S:SHARE:F}.
 *
 * <p>With {@code spread} each attempt has a factor of its own, so that one that was cut off may be in time when it is made again. With {@code wrong} the
 * estimate of a task is wrong for all its attempts, as where an input is larger than those before, and that share of the tasks takes F times as long
 * beside; what is asked for after a cut-off is then longer each time, as in real runs.
 *
 * @param lasting whether the attempts of a task all have the same factor
 * @param sigma the deviation of the logarithm of the factors, whose mean is 1
 * @param share of the tasks, that take {@code factor} times as long beside
 */
public record TimesTaken(boolean lasting, double sigma, double share, double factor) {
    /** As expected. */
    public static final TimesTaken EXACT = new TimesTaken(false, 0, 0, 1);

    private static final double MOST_SIGMA = 10;
    private static final double MOST_FACTOR = 1000;

    /** From what it had, each time twice as long, that is enough for a thousand times. */
    private static final int MOST_TIMEOUTS = 12;

    /** Reads it as it is written; refuses what it is not. */
    public static TimesTaken of(String text) {
        String[] part = text.strip().split(":", -1);
        try {
            TimesTaken read = read(part);
            if (read != null) {
                return read;
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw new InputException("there is no '" + text + "'; write exact, or e.g. spread:0.3");
    }

    private static @Nullable TimesTaken read(String[] part) {
        boolean lasting = part[0].equals("wrong");
        boolean mixed = lasting && part.length == 4;
        if (part.length == 1 && part[0].equals("exact")) {
            return EXACT;
        }
        if ((part.length != 2 && !mixed) || (!lasting && !part[0].equals("spread"))) {
            return null;
        }
        double sigma = Double.parseDouble(part[1]);
        double share = mixed ? Double.parseDouble(part[2]) : 0;
        double factor = mixed ? Double.parseDouble(part[3]) : 1;
        boolean within =
                sigma >= 0 && sigma <= MOST_SIGMA && share >= 0 && share <= 1 && factor >= 1 && factor <= MOST_FACTOR;
        return within ? new TimesTaken(lasting, sigma, share, factor) : null;
    }

    /** The times, drawn from a seed. */
    public TaskTimes times(long seed) {
        if (lasting) {
            return TaskTimes.wrong(sigma, share, factor, seed);
        }
        return sigma == 0 ? TaskTimes.AS_EXPECTED : TaskTimes.spread(sigma, seed);
    }

    /** The rules of a run with such times. */
    public Rules rules(Rules otherwise) {
        return lasting ? otherwise.mostTimeouts(MOST_TIMEOUTS) : otherwise;
    }

    /** As it stands in tables. */
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
