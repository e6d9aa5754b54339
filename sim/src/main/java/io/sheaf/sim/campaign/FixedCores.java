package io.sheaf.sim.campaign;

import io.sheaf.text.InputException;
import io.sheaf.workflow.Variants;
import io.sheaf.workflow.Workflow;
import java.util.Objects;

/**
 * A strategy that runs moldable tasks on a fixed number of cores, to compare it with free choice: {@code glume@8}.
 *
 * <p>Each moldable task has its variant with the most cores up to that number, or its smallest one.
 *
 * @param strategy its name with parameters
 * @param cores on all nodes of a task; {@link #ANY} if they are not fixed
 */
public record FixedCores(String strategy, int cores) {
    private static final int ANY = 0;

    /** Reads a strategy's name with parameters, with or without a number of cores. */
    public static FixedCores of(String spec) {
        int at = spec.lastIndexOf('@');
        if (at < 0) {
            return new FixedCores(spec, ANY);
        }
        String count = spec.substring(at + 1);
        if (!count.matches("[1-9][0-9]{0,8}")) {
            throw new InputException("'" + spec + "': '" + count
                    + "' is not a number of cores; write a whole number of at least 1 after '@', such as auto@8");
        }
        return new FixedCores(spec.substring(0, at), Integer.parseInt(count));
    }

    /** The workflow as the strategy sees it. */
    public Workflow on(Workflow workflow) {
        return cores == ANY
                ? workflow
                : workflow.fixed(task -> {
                    Variants all = Objects.requireNonNull(workflow.variants(task));
                    int variant = 0;
                    while (variant + 1 < all.size() && all.cores(variant + 1) <= cores) {
                        variant++;
                    }
                    return variant;
                });
    }
}
