package io.sheaf.app;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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

    @Spec
    private @Nullable CommandSpec spec;

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

    /** For usage errors that only the command itself can see. */
    final CommandLine commandLine() {
        if (spec == null) {
            throw new IllegalStateException("not connected");
        }
        return spec.commandLine();
    }

    @Override
    public abstract Integer call() throws Exception;
}
