package io.sheaf.formats.dagman;

import io.sheaf.formats.NumberText;
import io.sheaf.formats.ScalingText;
import io.sheaf.formats.ShellWords;
import io.sheaf.text.CoresText;
import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Builds the task of one node from its submit commands and DAG commands.
 *
 * <p>A node with none of a folder, redirections and scripts is just its executable with its arguments. Otherwise a shell script does what
 * DAGMan would: run the PRE script and stop if it fails, run the job in its folder, and run the POST script, whose exit status is then
 * that of the node. Where DAGMan runs the scripts on the access point, they run here on the task's node.
 */
final class NodeTask {
    private static final long NONE = Long.MIN_VALUE;

    private final DagNode node;
    private final WorkflowBuilder builder;
    private final Macros macros;
    private final SubmitDescription description;

    NodeTask(DagNode node, SubmitDescription description, WorkflowBuilder builder) {
        this.node = node;
        this.builder = builder;
        this.description = description;
        this.macros = new Macros(node, description);
    }

    /** Adds the task and returns its id; with ranks, the PRIORITY command is not the author's priority. */
    String add(boolean ranked) {
        String written = text(SheafNames.ID);
        String id = written == null || written.isEmpty() ? node.name : written;
        int task = builder.task(id, node.place);
        builder.category(task, category());
        times(task);
        resources(task);
        long retries = number("max_retries", text -> NumberText.count(text, 0, "max_retries"), 0);
        int tries = node.retries == null ? (int) retries : node.retries;
        if (tries != 0) {
            builder.retries(task, tries);
        }
        priority(task, ranked);
        files(task);
        Command command = command();
        if (command != null) {
            builder.command(task, command);
        }
        return id;
    }

    private String category() {
        String written = text(SheafNames.CATEGORY);
        if (written != null) {
            return written;
        }
        if (node.category != null) {
            return node.category;
        }
        return description.name.isEmpty()
                ? executable().substring(executable().lastIndexOf('/') + 1)
                : description.name;
    }

    private void times(int task) {
        if (node.runsNothing || node.done) {
            builder.time(task, 0);
            return;
        }
        long time = number(SheafNames.TIME, text -> NumberText.seconds(text, "SheafTime"), NONE);
        if (time != NONE) {
            checked(SheafNames.TIME, () -> builder.time(task, time, 0));
        }
        long allowed = number(
                "allowed_execute_duration",
                text -> NumberText.count(text, 1, "allowed_execute_duration") * TimeText.SECOND,
                NONE);
        long limit = number(SheafNames.LIMIT, text -> NumberText.seconds(text, "SheafLimit"), allowed);
        if (limit != NONE) {
            checked(SheafNames.LIMIT, () -> builder.limit(task, limit, 0));
        }
        String scaling = text(SheafNames.SCALING);
        if (scaling != null) {
            checked(SheafNames.SCALING, () -> builder.scaling(task, ScalingText.read(scaling)));
        }
    }

    private void resources(int task) {
        long cores = number("request_cpus", text -> NumberText.count(text, 1, "request_cpus"), 1);
        long gpus = number("request_gpus", text -> NumberText.count(text, 0, "request_gpus"), 0);
        long machines = number("machine_count", text -> NumberText.count(text, 1, "machine_count"), 1);
        long nodes = number(SheafNames.NODES, text -> NumberText.count(text, 1, "SheafNodes"), machines);
        long requested = number("request_memory", NumberText::mebibytes, 0);
        long memory = number(SheafNames.MEMORY, text -> NumberText.bytes(text, "SheafMemory"), requested);
        long millicores = number(SheafNames.CORES, CoresText::millicores, cores * Resources.CORE);
        if (millicores < Resources.CORE && nodes > 1) {
            throw macros.at(
                    SheafNames.CORES,
                    new InputException(
                            "a job of " + nodes + " nodes needs whole cores, not " + CoresText.text(millicores)));
        }
        Resources needed = Resources.of(millicores, memory, (int) gpus, (int) nodes);
        if (!needed.equals(Resources.ONE_CORE)) {
            builder.resources(task, needed);
        }
    }

    private void priority(int task, boolean ranked) {
        long submitted = number("priority", text -> NumberText.integer(text, "priority"), 0);
        long declared = ranked || node.priority == null ? submitted : node.priority;
        long priority = number(SheafNames.PRIORITY, text -> NumberText.integer(text, "SheafPriority"), declared);
        if (priority != 0) {
            builder.priority(task, (int) priority);
        }
    }

    private void files(int task) {
        String inputs = text(SheafNames.INPUTS);
        String outputs = text(SheafNames.OUTPUTS);
        if (inputs != null) {
            checked(SheafNames.INPUTS, () -> sized(inputs, file -> builder.input(task, file)));
        } else {
            listed("transfer_input_files", file -> builder.input(task, file));
        }
        if (outputs != null) {
            checked(SheafNames.OUTPUTS, () -> sized(outputs, file -> builder.output(task, file)));
        } else {
            listed("transfer_output_files", file -> builder.output(task, file));
        }
    }

    /** Names, each followed by its size, or by a dash where that is not known. */
    private WorkflowBuilder sized(String text, IntConsumer use) {
        List<String> words = ShellWords.split(text);
        if (words.size() % 2 != 0) {
            throw new InputException("a list of files is not pairs of a name and a size");
        }
        for (int i = 0; i < words.size(); i += 2) {
            String size = words.get(i + 1);
            long bytes = size.equals("-") ? Workflow.UNKNOWN : NumberText.bytes(size, "the size of a file");
            use.accept(builder.file(words.get(i), bytes));
        }
        return builder;
    }

    private void listed(String command, IntConsumer use) {
        String list = macros.value(command);
        if (list != null) {
            for (String name : Quoting.string(list).split(",")) {
                if (!name.isBlank()) {
                    use.accept(builder.file(name.strip(), Workflow.UNKNOWN));
                }
            }
        }
    }

    private @Nullable Command command() {
        if (node.done || node.runsNothing || isTrue(SheafNames.SHAPE_ONLY)) {
            boolean scripts = !node.done && !(node.pre.isEmpty() && node.post.isEmpty());
            if (scripts || !isTrue(SheafNames.SHAPE_ONLY)) {
                return command(List.of("true"));
            }
            return null;
        }
        String executable = executable();
        if (executable.isEmpty()) {
            throw new InputException(
                            "node '" + node.name + "' has no executable; add one to its submit description", node.place)
                    .in(description.file);
        }
        List<String> argv = new ArrayList<>(arguments());
        if (!isTrue(SheafNames.ON_PATH)) {
            argv.add(0, program(in(node.folder, executable)));
        } else if (argv.isEmpty()) {
            throw macros.at(
                    "arguments", new InputException("node '" + node.name + "' has no program in its arguments"));
        }
        return command(argv);
    }

    private String executable() {
        String executable = macros.value("executable");
        return executable == null ? "" : executable.strip();
    }

    private boolean isTrue(String attribute) {
        String value = text(attribute);
        return value != null && value.toLowerCase(Locale.ROOT).equals("true");
    }

    private @Nullable String text(String attribute) {
        String value = macros.value(attribute);
        return value == null ? null : Quoting.string(value);
    }

    private long number(String command, ToLongFunction<String> reading, long defaultValue) {
        String value = text(command);
        return value == null ? defaultValue : checked(command, () -> reading.applyAsLong(value));
    }

    /** Runs an operation; a problem of it gets the place of a command. */
    private <T> T checked(String command, Supplier<T> operation) {
        try {
            return operation.get();
        } catch (InputException e) {
            throw macros.at(command, e);
        }
    }

    private Command command(List<String> argv) {
        Command command = isPlain() ? Command.of(argv) : Command.script(script(argv));
        return command.with(environment());
    }

    private boolean isPlain() {
        return workingFolder().isEmpty()
                && node.pre.isEmpty()
                && node.post.isEmpty()
                && path("input").isEmpty()
                && path("output").isEmpty()
                && path("error").isEmpty();
    }

    private String script(List<String> argv) {
        String job = job(argv);
        if (node.pre.isEmpty() && node.post.isEmpty()) {
            return job;
        }
        StringBuilder script = new StringBuilder();
        if (!node.pre.isEmpty()) {
            script.append(inNodeFolder(words(node.pre))).append(" || exit\n");
        }
        if (node.post.isEmpty()) {
            return script.append(job).toString();
        }
        script.append("( ").append(job).append(" )\nRETURN=$?\n");
        return script.append(inNodeFolder(words(node.post))).toString();
    }

    private String job(List<String> argv) {
        String folder = workingFolder();
        String program = argv.get(0);
        StringBuilder line = new StringBuilder();
        if (!folder.isEmpty()) {
            line.append("cd ").append(ShellWords.quote(folder)).append(" && ");
        }
        line.append("exec ");
        if (!folder.isEmpty() && !program.startsWith("/") && program.indexOf('/') >= 0) {
            line.append("\"$OLDPWD\"/");
        }
        return line.append(ShellWords.join(argv)).append(redirections()).toString();
    }

    private String redirections() {
        String input = path("input");
        String output = path("output");
        String error = path("error");
        String text = input.isEmpty() ? "" : " < " + ShellWords.quote(input);
        text += output.isEmpty() ? "" : " > " + ShellWords.quote(output);
        if (!error.isEmpty()) {
            text += error.equals(output) ? " 2>&1" : " 2> " + ShellWords.quote(error);
        }
        return text;
    }

    private String inNodeFolder(String script) {
        return node.folder.isEmpty() ? script : "( cd " + ShellWords.quote(node.folder) + " && " + script + " )";
    }

    /** A script's words; DAGMan's own macros are replaced where they are a whole word. */
    private String words(List<String> script) {
        StringBuilder line = new StringBuilder(ShellWords.quote(program(script.get(0))));
        for (String word : script.subList(1, script.size())) {
            line.append(' ')
                    .append(
                            switch (word) {
                                case "$JOB", "$JOBID" -> ShellWords.quote(node.name);
                                case "$RETRY", "$FAILED_COUNT", "$DAG_STATUS" -> "0";
                                case "$MAX_RETRIES" -> Integer.toString(node.retries == null ? 0 : node.retries);
                                case "$RETURN" -> "$RETURN";
                                case "$PRE_SCRIPT_RETURN" -> node.pre.isEmpty() ? "-1" : "0";
                                default -> ShellWords.quote(word);
                            });
        }
        return line.toString();
    }

    private String workingFolder() {
        String folder = path("initialdir");
        folder = folder.isEmpty() ? path("initial_dir") : folder;
        return folder.isEmpty() ? node.folder : in(node.folder, folder);
    }

    private String path(String command) {
        String path = text(command);
        return path == null ? "" : path;
    }

    private List<String> arguments() {
        return checked("arguments", () -> {
            String value = macros.value("arguments");
            value = value == null ? macros.value("args") : value;
            return value == null ? List.of() : Quoting.arguments(value);
        });
    }

    private Map<String, String> environment() {
        return checked("environment", () -> {
            String value = macros.value("environment");
            value = value == null ? macros.value("env") : value;
            return value == null ? Map.of() : Quoting.environment(value);
        });
    }

    /** A path seen from outside the folder that it is relative to. */
    static String in(String folder, String path) {
        return folder.isEmpty() || path.startsWith("/") ? path : folder + (folder.endsWith("/") ? "" : "/") + path;
    }

    /** A program in the current folder is run by {@code ./name}. */
    private static String program(String path) {
        return path.indexOf('/') >= 0 ? path : "./" + path;
    }
}
