package io.sheaf.app;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A subcommand: the options that all of them have. */
@Command(mixinStandardHelpOptions = false, sortOptions = false, usageHelpAutoWidth = false)
abstract class SheafCommand implements Callable<Integer> {
    @Option(
            names = "--json",
            negatable = true,
            fallbackValue = "true",
            description = "Print one JSON value and nothing else.")
    boolean json;

    @Option(
            names = "--verbose",
            negatable = true,
            fallbackValue = "true",
            description = "With an error, print where in Sheaf it came from.")
    boolean verbose;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this help.")
    boolean help;

    private @Nullable Session session;

    final void connect(Session to) {
        session = to;
    }

    final Session session() {
        if (session == null) {
            throw new IllegalStateException("not connected");
        }
        return session;
    }

    @Override
    public abstract Integer call() throws Exception;
}
