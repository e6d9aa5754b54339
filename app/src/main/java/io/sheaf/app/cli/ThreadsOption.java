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

    public void check() {
        UsageException.unless(threads == null || threads >= 1, "--threads: must be at least 1");
    }

    public int count() {
        return threads == null ? Runtime.getRuntime().availableProcessors() : threads;
    }
}
