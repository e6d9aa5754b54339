package io.sheaf.workflow.generate;

import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import io.sheaf.text.TimeText;
import java.util.Map;
import java.util.TreeSet;

/**
 * The request to a generator.
 *
 * @param tasks the approximate number of tasks; a family uses the nearest number that its shape allows; 0 for its default
 * @param workMicros the sum of all run times; 0 for the sum of the family's own run times
 * @param seed determines all random choices
 * @param parameters values for the family's own parameters
 */
public record Recipe(int tasks, long workMicros, long seed, Map<String, String> parameters) {
    public static final int MAX_TASKS = 10_000_000;

    public Recipe {
        parameters = Map.copyOf(parameters);
        if (tasks < 0 || tasks > MAX_TASKS) {
            throw new InputException("a workflow of " + tasks + " tasks cannot be made; ask for 1 to " + MAX_TASKS);
        }
        if (workMicros < 0) {
            throw new InputException("the work must be 0 or more");
        }
    }

    public static Recipe of(int tasks, long workMicros, long seed) {
        return new Recipe(tasks, workMicros, seed, Map.of());
    }

    /** Throws an exception for parameters that the family does not have. */
    public void check(Family family) {
        var known = family.parameters().stream().map(Family.Parameter::name).toList();
        // Sorted: the order of an immutable map changes from run to run, and the first one is reported.
        for (String name : new TreeSet<>(parameters.keySet())) {
            if (!known.contains(name)) {
                throw new InputException("family '" + family.name() + "' has no parameter '" + name + "'."
                        + Nearest.hint(name, known)
                        + (known.isEmpty() ? " It has none." : " It has: " + String.join(", ", known) + "."));
            }
        }
    }

    public String text(Family family, String name) {
        for (Family.Parameter parameter : family.parameters()) {
            if (parameter.name().equals(name)) {
                return parameters.getOrDefault(name, parameter.defaultValue());
            }
        }
        throw new IllegalArgumentException(family.name() + " declares no parameter " + name);
    }

    /** A whole number within bounds. */
    public int integer(Family family, String name, int min, int max) {
        String text = text(family, name);
        try {
            int value = Integer.parseInt(text.strip());
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Reported below, with the bounds.
        }
        throw new InputException(name + "=" + text + " is not a whole number from " + min + " to " + max);
    }

    /** A number within bounds. */
    public double number(Family family, String name, double min, double max) {
        String text = text(family, name);
        try {
            double value = Double.parseDouble(text.strip());
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Reported below, with the bounds.
        }
        throw new InputException(name + "=" + text + " is not a number from " + min + " to " + max);
    }

    /** A time, in microseconds. */
    public long micros(Family family, String name) {
        return TimeText.micros(text(family, name));
    }
}
