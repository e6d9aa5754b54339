package io.sheaf.runtime.local;

import java.util.List;

/**
 * Where a run's pilot jobs run.
 *
 * @param system the batch system
 * @param options words that are passed on to it with each submission
 */
public record Where(String system, List<String> options) {
    /** The embedded cluster on this machine. */
    public static final Where LOCAL = new Where("local", List.of());

    public Where {
        options = List.copyOf(options);
    }
}
