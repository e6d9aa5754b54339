package io.sheaf.app;

import io.sheaf.app.cli.ConfiguredDefaults;
import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.OptionHeadings;
import io.sheaf.app.cli.Paint;
import io.sheaf.app.cli.Session;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.StandardOutput;
import io.sheaf.app.cli.UsageException;
import io.sheaf.app.cli.Version;
import io.sheaf.app.config.Configuration;
import io.sheaf.app.history.HistoryCommand;
import io.sheaf.app.lab.LabCommand;
import io.sheaf.app.predict.PlanCommand;
import io.sheaf.app.predict.PredictCommand;
import io.sheaf.app.queue.SubmitTaskCommand;
import io.sheaf.app.queue.TaskCancelCommand;
import io.sheaf.app.queue.TaskStatusCommand;
import io.sheaf.app.queue.TaskStreamCommand;
import io.sheaf.app.replay.ReplayCommand;
import io.sheaf.app.run.CancelCommand;
import io.sheaf.app.run.ExplainCommand;
import io.sheaf.app.run.ReportCommand;
import io.sheaf.app.run.ResumeCommand;
import io.sheaf.app.run.RunCommand;
import io.sheaf.app.run.StatusCommand;
import io.sheaf.app.run.WatchCommand;
import io.sheaf.app.savings.SavingsCommand;
import io.sheaf.app.service.ServeCommand;
import io.sheaf.app.service.SubmitCommand;
import io.sheaf.app.setup.ConfigCommand;
import io.sheaf.app.setup.DemoCommand;
import io.sheaf.app.setup.DoctorCommand;
import io.sheaf.app.setup.LicencesCommand;
import io.sheaf.app.simulate.CompareCommand;
import io.sheaf.app.simulate.SimulateCommand;
import io.sheaf.app.workflow.ConvertCommand;
import io.sheaf.app.workflow.GenerateCommand;
import io.sheaf.app.workflow.ImportCommand;
import io.sheaf.app.workflow.InspectCommand;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The {@code sheaf} command: finds the subcommand, runs it, and converts errors to a message and an exit status.
 *
 * <p>Only the requested subcommand is constructed, which keeps the start-up short.
 */
public final class Sheaf {
    /** The subcommands by name, by the headings of the help, in its order. */
    static final Map<String, Map<String, Supplier<Object>>> GROUPS = groups();

    private static final Map<String, Supplier<Object>> COMMANDS = commands();

    private final PrintWriter out;
    private final PrintWriter err;
    private final Map<String, String> environment;
    private final Path folder;
    private final boolean terminal;

    /** The requested command; null until its configuration is loaded. */
    private @Nullable SheafCommand running;

    Sheaf(PrintWriter out, PrintWriter err, Map<String, String> environment, Path folder) {
        this(out, err, environment, folder, false);
    }

    /**
     * Creates a command that prints to these writers.
     *
     * @param terminal whether standard error is a terminal
     */
    Sheaf(PrintWriter out, PrintWriter err, Map<String, String> environment, Path folder, boolean terminal) {
        this.terminal = terminal;
        this.out = out;
        this.err = err;
        this.environment = environment;
        this.folder = folder;
    }

    /** The subcommands by the headings of the help. */
    private static Map<String, Map<String, Supplier<Object>>> groups() {
        Map<String, Map<String, Supplier<Object>>> groups = new LinkedHashMap<>();
        Map<String, Supplier<Object>> run = new LinkedHashMap<>();
        run.put("run", RunCommand::new);
        run.put("plan", PlanCommand::new);
        run.put("status", StatusCommand::new);
        run.put("watch", WatchCommand::new);
        run.put("resume", ResumeCommand::new);
        run.put("cancel", CancelCommand::new);
        run.put("explain", ExplainCommand::new);
        run.put("report", ReportCommand::new);
        run.put("history", HistoryCommand::new);
        groups.put("Run workflows", run);
        Map<String, Supplier<Object>> service = new LinkedHashMap<>();
        service.put("serve", ServeCommand::new);
        service.put("submit", SubmitCommand::new);
        groups.put("Run many workflows as a service", service);
        Map<String, Supplier<Object>> tasks = new LinkedHashMap<>();
        tasks.put("submit-task", SubmitTaskCommand::new);
        tasks.put("task-status", TaskStatusCommand::new);
        tasks.put("task-cancel", TaskCancelCommand::new);
        tasks.put("task-stream", TaskStreamCommand::new);
        groups.put("Submit single tasks, for other workflow systems", tasks);
        Map<String, Supplier<Object>> workflows = new LinkedHashMap<>();
        workflows.put("inspect", InspectCommand::new);
        workflows.put("convert", ConvertCommand::new);
        workflows.put("generate", GenerateCommand::new);
        workflows.put("import", ImportCommand::new);
        groups.put("Read and write workflows", workflows);
        Map<String, Supplier<Object>> simulate = new LinkedHashMap<>();
        simulate.put("simulate", SimulateCommand::new);
        simulate.put("compare", CompareCommand::new);
        simulate.put("replay", ReplayCommand::new);
        simulate.put("predict", PredictCommand::new);
        simulate.put("savings", SavingsCommand::new);
        simulate.put("lab", LabCommand::new);
        simulate.put("demo", DemoCommand::new);
        groups.put("Simulate and predict", simulate);
        Map<String, Supplier<Object>> setup = new LinkedHashMap<>();
        setup.put("doctor", DoctorCommand::new);
        setup.put("config", ConfigCommand::new);
        setup.put("completion", CompletionCommand::new);
        setup.put("man", ManCommand::new);
        setup.put("licences", LicencesCommand::new);
        groups.put("Set up", setup);
        return groups;
    }

    private static Map<String, Supplier<Object>> commands() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        GROUPS.values().forEach(commands::putAll);
        return commands;
    }

    /** Lists the subcommands under the heading of their group. */
    private static String commandList(Help help) {
        StringBuilder list = new StringBuilder();
        GROUPS.forEach((heading, names) -> {
            Map<String, Help> group = new LinkedHashMap<>(help.subcommands());
            group.keySet().retainAll(names.keySet());
            list.append(String.format("%n%s:%n%s", heading, help.commandList(group)));
        });
        return list.toString();
    }

    /** The names of all subcommands, in the order of the help. */
    static List<String> commandNames() {
        return List.copyOf(COMMANDS.keySet());
    }

    /** The whole command, with all its subcommands. */
    static CommandLine allCommands() {
        CommandLine top = new CommandLine(CommandSpec.forAnnotatedObject(new Top()));
        COMMANDS.forEach((name, command) -> top.addSubcommand(name, command.get()));
        return top;
    }

    public static void main(String[] args) {
        // Java cannot detect whether standard error is a terminal; the shell that started it can.
        boolean terminal = Boolean.getBoolean("sheaf.terminal");
        StandardOutput out = new StandardOutput(new FileOutputStream(FileDescriptor.out));
        boolean paintsOut = Paint.isEnabled(Boolean.getBoolean("sheaf.terminal.out"), System.getenv());
        PrintWriter err = writer(new FileOutputStream(FileDescriptor.err), Paint.isEnabled(terminal, System.getenv()));
        int status = new Sheaf(writer(out, paintsOut), err, System.getenv(), Path.of(""), terminal).runTo(out, args);
        err.flush();
        System.exit(status);
    }

    private static PrintWriter writer(OutputStream to, boolean paints) {
        // Always UTF-8: what Sheaf prints must not depend on the locale of the shell that started it.
        Writer plain = new OutputStreamWriter(to, StandardCharsets.UTF_8);
        return new PrintWriter(paints ? new Paint(new BufferedWriter(plain)) : plain, false);
    }

    /** Runs the command line; a failed write to standard output is an error. */
    int runTo(StandardOutput printed, String... args) {
        int status = run(args);
        out.flush();
        IOException problem = printed.problem();
        if (problem == null) {
            return status;
        }
        // A closed pipe, as with 'head', is no error.
        if (!printed.isUnread()) {
            err.println("sheaf: cannot write to standard output: " + problem.getMessage());
        }
        return status == ExitStatus.DONE ? ExitStatus.BAD_INPUT : status;
    }

    /** Runs the command line and returns the exit status. */
    int run(String... args) {
        if (args.length == 1 && args[0].equals("warm-up")) {
            return WarmUp.in(Path.of(System.getProperty("java.io.tmpdir")), out, err);
        }
        try {
            return execute(args);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            return failed(e, args);
        }
    }

    /** Prints an error and returns its exit status. */
    private int failed(Throwable e, String[] args) {
        if (e instanceof InputException) {
            return problem(e.getMessage(), e, args, ExitStatus.BAD_INPUT);
        }
        if (e instanceof UnreachableException) {
            String message = "cannot reach the batch system: " + e.getMessage()
                    + ". Run 'sheaf doctor' with the same --on to find the cause";
            return problem(message, e, args, ExitStatus.UNREACHABLE);
        }
        if (e instanceof IOException file) {
            return problem(reason(file) + advice(file, folder), e, args, ExitStatus.BAD_INPUT);
        }
        if (e instanceof OutOfMemoryError) {
            return problem(
                    "out of memory; increase the Java heap, e.g. JAVA_OPTS=-Xmx8g", e, args, ExitStatus.INTERNAL);
        }
        return problem("internal error: " + e, e, args, ExitStatus.INTERNAL);
    }

    /** The reason of a file error; Java's message is often only the file name. */
    private static String reason(IOException e) {
        if (e instanceof FileSystemException file && file.getReason() == null) {
            String why = e instanceof AccessDeniedException
                    ? "no permission"
                    : e instanceof NoSuchFileException
                            ? "no such file"
                            : e.getClass().getSimpleName();
            return file.getFile() + ": " + why;
        }
        return String.valueOf(e.getMessage());
    }

    /** What to do about a place that cannot be written; empty for other errors. */
    static String advice(IOException e, Path folder) {
        String why = String.valueOf(e.getMessage());
        boolean full = why.contains("No space left on device") || why.contains("Disk quota exceeded");
        boolean readOnly = why.contains("Read-only file system") || e instanceof AccessDeniedException;
        return full
                ? ". Free space, or use a folder on another file system (here: " + folder.toAbsolutePath() + ")"
                : readOnly ? ". Use a folder that you can write" : "";
    }

    private int execute(String[] args) {
        String word = firstWord(args);
        if (word != null && !COMMANDS.containsKey(word)) {
            printError("sheaf: unknown command '" + word + "'." + Nearest.hint(word, COMMANDS.keySet())
                    + " See 'sheaf --help'.");
            return ExitStatus.USAGE;
        }
        CommandLine top = new CommandLine(CommandSpec.forAnnotatedObject(new Top()));
        for (Map.Entry<String, Supplier<Object>> command : COMMANDS.entrySet()) {
            if (word == null || word.equals(command.getKey())) {
                top.addSubcommand(command.getKey(), command.getValue().get());
            }
        }
        Configuration configuration = Configuration.load(environment, folder);
        top.setOut(out);
        top.setErr(err);
        top.setCaseInsensitiveEnumValuesAllowed(true);
        top.setUsageHelpAutoWidth(false);
        top.setUsageHelpWidth(100);
        top.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, Sheaf::commandList);
        top.setDefaultValueProvider(new ConfiguredDefaults(configuration));
        top.setParameterExceptionHandler(this::usage);
        top.setExecutionExceptionHandler((e, line, result) -> e instanceof UsageException
                ? usage(new ParameterException(line, e.getMessage()), args)
                : failed(e, args));
        connect(top, new Session(out, err, configuration, environment, folder, terminal), args);
        return top.execute(args);
    }

    /** Connects all commands to the session and remembers the requested one, which may be a subcommand. */
    private void connect(CommandLine line, Session session, String[] args) {
        line.getSubcommands().forEach((name, sub) -> {
            if (sub.getCommand() instanceof SheafCommand command) {
                if (List.of(args).contains(name)) {
                    running = command;
                }
                command.connect(session);
                sub.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, OptionHeadings::text);
                OptionHeadings.abbreviateSynopsis(sub.getCommandSpec());
            }
            connect(sub, session, args);
        });
    }

    private static @Nullable String firstWord(String[] args) {
        return args.length > 0 && !args[0].startsWith("-") ? args[0] : null;
    }

    private int usage(ParameterException e, String[] args) {
        String name = e.getCommandLine().getCommandSpec().qualifiedName();
        String hint = e instanceof UnmatchedArgumentException unmatched && unmatched.isUnknownOption()
                ? Nearest.hint(
                        unmatched.getUnmatched().get(0),
                        e.getCommandLine().getCommandSpec().optionsMap().keySet())
                : "";
        // picocli repeats a word where a map is expected.
        String message = firstLine(e.getMessage())
                .replace("option option ", "option ")
                .replaceAll("' is not an? (int|long)$", "' is not a whole number, or too large");
        printError(
                name + ": " + message + (hint.isEmpty() ? "" : "." + hint) + " (see '" + name + " --help' for usage)");
        return ExitStatus.USAGE;
    }

    private static String firstLine(@Nullable String text) {
        return text == null ? "" : text.lines().findFirst().orElse("");
    }

    private int problem(@Nullable String message, Throwable cause, String[] args, int status) {
        printError("sheaf: " + message);
        if (isVerbose(args)) {
            cause.printStackTrace(err);
        } else if (status == ExitStatus.INTERNAL && !(cause instanceof OutOfMemoryError)) {
            err.println("sheaf: this is a bug; run the command again with --verbose and report the output");
        }
        return status;
    }

    private void printError(String text) {
        err.println(Paint.isEnabled(terminal, environment) ? Paint.error(text) : text);
    }

    private boolean isVerbose(String[] args) {
        // Errors before parsing are rare, e.g. an unreadable configuration.
        return running == null ? List.of(args).contains("--verbose") : running.verbose;
    }

    /** The command without a subcommand. */
    @Command(
            name = "sheaf",
            description = "Run scientific workflows on batch clusters.",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            subcommandsRepeatable = false,
            synopsisSubcommandLabel = "COMMAND",
            commandListHeading = "",
            footer = {
                "",
                "Exit status: 0 success, 1 the workflow failed, 2 usage error, 3 bad input, 4 cluster unreachable,",
                "5 interrupted and resumable.",
                "Example: sheaf inspect examples/hello.yaml"
            })
    static final class Top implements Runnable {
        @CommandLine.Spec
        @Nullable
        CommandSpec spec;

        @Override
        public void run() {
            if (spec != null) {
                spec.commandLine().usage(spec.commandLine().getOut());
            }
        }
    }
}
