package io.sheaf.app.cli;

import io.sheaf.formats.ShellWords;
import io.sheaf.formats.WorkflowWriter;
import io.sheaf.formats.registry.Formats;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A subcommand with the common options. */
@Command(mixinStandardHelpOptions = false, sortOptions = false, usageHelpAutoWidth = false)
public abstract class SheafCommand implements Callable<Integer> {
    private static final String WFFORMAT = "wfformat";

    @Option(names = "--json", negatable = true, fallbackValue = "true", description = "Print the result as JSON.")
    public boolean json;

    @Option(
            names = "--verbose",
            negatable = true,
            fallbackValue = "true",
            description = "Print a stack trace with errors.")
    public boolean verbose;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this help.")
    boolean help;

    @Spec
    private @Nullable CommandSpec spec;

    private @Nullable Session session;

    public final void connect(Session to) {
        session = to;
    }

    public final Session session() {
        if (session == null) {
            throw new IllegalStateException("not connected");
        }
        return session;
    }

    /** Prints the result: an object with these fields for {@code --json}, otherwise text. */
    public final void print(Consumer<JsonOut> fields, Consumer<PrintWriter> text) {
        if (json) {
            JsonOut.print(session().out(), fields);
        } else {
            text.accept(session().out());
        }
    }

    /** Prints a line for the user on standard error, at once. */
    protected final void note(String text) {
        session().note(text);
    }

    /** The command line, for usage errors that the command itself detects. */
    public final CommandLine commandLine() {
        if (spec == null) {
            throw new IllegalStateException("not connected");
        }
        return spec.commandLine();
    }

    /** A usage error that the command itself detects. */
    protected static UsageException usage(String message) {
        return new UsageException(message);
    }

    /** Rejects --json if standard output is used otherwise; ignores a configured --json. */
    public final void refuseJson(String reason) {
        UsageException.unless(!json || !isGiven("--json"), "--json cannot be used here: " + reason);
    }

    /** The format of a workflow on standard output; the default is WfFormat (JSON). */
    public final WorkflowWriter printedFormat(@Nullable String name) {
        WorkflowWriter writer = Formats.writer(name == null ? WFFORMAT : name);
        if (!writer.name().equals(WFFORMAT)) {
            refuseJson("standard output is the workflow in format " + writer.name() + "; write it to a file");
        }
        return writer;
    }

    /** This command line and the version, one line each, for the record of what it creates. */
    public final String origin() {
        String words = ShellWords.join(commandLine().getParseResult().originalArgs());
        return "Command: sheaf " + words + "\nVersion: " + new Version().getVersion()[0] + "\n";
    }

    /** Whether an option is on the command line, as opposed to configured. */
    public final boolean isGiven(String option) {
        return commandLine().getParseResult().hasMatchedOption(option);
    }

    @Override
    public abstract Integer call() throws Exception;
}
