package io.sheaf.app.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of the number of parallel simulations. */
public final class ThreadsOption {
    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Number of parallel simulations (default: number of processors).")
    public @Nullable Integer threads;

    /** A message about a misused value; null if there is none. */
    public @Nullable String misuse() {
        return threads != null && threads < 1 ? "--threads: must be at least 1" : null;
    }

    public int count() {
        return threads == null ? Runtime.getRuntime().availableProcessors() : threads;
    }
}
