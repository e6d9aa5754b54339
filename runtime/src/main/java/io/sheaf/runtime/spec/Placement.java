package io.sheaf.runtime.spec;

import java.util.List;

/**
 * Where a run's pilot jobs run.
 *
 * @param system the batch system
 * @param options passed to the batch system with each submission
 */
public record Placement(String system, List<String> options) {
    /** The embedded cluster on this machine. */
    public static final Placement LOCAL = new Placement("local", List.of());

    public Placement {
        options = List.copyOf(options);
    }
}
