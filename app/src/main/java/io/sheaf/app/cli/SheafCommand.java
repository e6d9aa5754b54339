package io.sheaf.app.cli;

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
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A subcommand: the options that all of them have. */
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
    protected final void print(Consumer<JsonOut> fields, Consumer<PrintWriter> text) {
        if (json) {
            JsonOut.print(session().out(), fields);
        } else {
            text.accept(session().out());
        }
    }

    /** For usage errors that only the command itself can see. */
    public final CommandLine commandLine() {
        if (spec == null) {
            throw new IllegalStateException("not connected");
        }
        return spec.commandLine();
    }

    /** Refuses --json where standard output holds something else; where it is only configured, it does not count here. */
    public final void refuseJson(String reason) {
        if (json && isGiven("--json")) {
            throw new ParameterException(commandLine(), "--json cannot be used here: " + reason);
        }
    }

    /** The format of a workflow on standard output: WfFormat, which is JSON, unless another is given. */
    public final WorkflowWriter printedFormat(@Nullable String wanted) {
        WorkflowWriter writer = Formats.writer(wanted == null ? WFFORMAT : wanted);
        if (!writer.name().equals(WFFORMAT)) {
            refuseJson("standard output is the workflow in format " + writer.name() + "; write it to a file");
        }
        return writer;
    }

    /** Whether an option is on the command line, rather than configured. */
    public final boolean isGiven(String option) {
        return commandLine().getParseResult().hasMatchedOption(option);
    }

    @Override
    public abstract Integer call() throws Exception;
}
