package io.sheaf.sim;

import io.sheaf.formats.NumberText;
import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import io.sheaf.text.TimeText;
import java.util.List;

/**
 * Fault probabilities of a simulated run; all samples depend on the seed.
 *
 * <p>With faults, the nodes of a pilot job come up one by one, and a paused run is resumed after an hour.
 *
 * @param task the probability that an attempt of a task fails, at a random time
 * @param job the probability that a pilot job is lost, within twice its walltime from its submission
 * @param node the probability that a node of a started pilot job is lost, within its walltime
 * @param refuse the probability that a submission is refused
 * @param silent the probability that no node of a started pilot job ever comes up
 * @param late the probability that a report is late; one in ten of these is lost and detected ten times as late
 * @param delay the maximum delay of a late report that is not lost, in milliseconds
 * @param twice the probability that a report is duplicated
 */
public record Faults(
        double task,
        double job,
        double node,
        double refuse,
        double silent,
        double late,
        long delay,
        double twice,
        long seed) {
    /** No faults and no delays. */
    public static final Faults NONE = new Faults(0, 0, 0, 0, 0, 0, 0, 0, 0);

    private static final List<String> NAMES =
            List.of("task", "job", "node", "refuse", "silent", "late", "delay", "twice");

    public boolean isNone() {
        return task + job + node + refuse + silent + late + twice == 0;
    }

    /** Parses {@code task=0.05,late=0.3,delay=10m}; omitted probabilities are 0, and the default delay is five minutes. */
    public static Faults parse(String text, long seed) {
        double[] value = new double[NAMES.size()];
        long delay = 300_000;
        for (String pair : text.split(",", -1)) {
            int equals = pair.indexOf('=');
            String name = (equals < 0 ? pair : pair.substring(0, equals)).strip();
            int index = NAMES.indexOf(name);
            if (index < 0 || equals < 0) {
                throw new InputException("faults: '" + pair.strip() + "' is not NAME=VALUE with one of the names "
                        + String.join(", ", NAMES) + "." + Nearest.hint(name, NAMES));
            }
            String amount = pair.substring(equals + 1).strip();
            if (name.equals("delay")) {
                delay = TimeText.millis(amount);
            } else {
                value[index] = probability(name, amount);
            }
        }
        return new Faults(value[0], value[1], value[2], value[3], value[4], value[5], delay, value[7], seed);
    }

    private static double probability(String name, String amount) {
        double value = NumberText.decimal(amount);
        if (value >= 0 && value < 1) {
            return value;
        }
        throw new InputException(
                "faults: " + name + "=" + amount + ": write a probability of at least 0 and less than 1");
    }
}
