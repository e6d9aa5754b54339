package io.sheaf.formats.dagman;

import io.sheaf.formats.ScalingText;
import io.sheaf.formats.ShellWords;
import io.sheaf.text.InputException;
import io.sheaf.text.SizeText;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Writes the submit commands of one task. */
record NodeText(Workflow workflow, int task, String name, Writer out) {
    void write() throws IOException {
        program();
        resources();
        attributes();
        files("My.SheafInputs", workflow.inputs(task), i -> workflow.input(task, i));
        files("My.SheafOutputs", workflow.outputs(task), i -> workflow.output(task, i));
    }

    private void program() throws IOException {
        Command command = workflow.command(task);
        if (command == null) {
            line("executable", "/bin/true");
            line("transfer_executable", "false");
            line("My.SheafShapeOnly", "true");
            return;
        }
        String program = command.argv().get(0);
        List<String> arguments = command.argv().subList(1, command.argv().size());
        // HTCondor takes a bare name for a file here, and cannot quote one.
        boolean onPath = program.indexOf('/') < 0
                || !program.equals(program.strip())
                || program.chars().anyMatch(c -> c < ' ' || c == '"');
        line("executable", onPath ? "/usr/bin/env" : program.replace("$", "$(DOLLAR)"));
        if (onPath || program.startsWith("/")) {
            line("transfer_executable", "false");
        }
        if (onPath) {
            line("My.SheafOnPath", "true");
            arguments = command.argv();
        }
        if (!arguments.isEmpty()) {
            text("arguments", Quoting.quoteArguments(arguments));
        }
        if (!command.environment().isEmpty()) {
            text("environment", Quoting.quoteEnvironment(command.environment()));
        }
    }

    private void resources() throws IOException {
        Resources needed = workflow.resources(task);
        if (needed.nodes() > 1) {
            line("universe", "parallel");
            line("machine_count", Integer.toString(needed.nodes()));
        }
        if (needed.cores() > 1) {
            line("request_cpus", Integer.toString(needed.cores()));
        }
        if (needed.isShare()) {
            line("My.SheafCores", needed.coresText());
        }
        if (needed.memory() > 0) {
            long kibibytes = (needed.memory() - 1) / 1024 + 1;
            line("request_memory", SizeText.text(kibibytes * 1024));
            if (needed.memory() % 1024 != 0) {
                line("My.SheafMemory", Long.toString(needed.memory()));
            }
        }
        if (needed.gpus() > 0) {
            line("request_gpus", Integer.toString(needed.gpus()));
        }
        long limit = workflow.limitMicros(task);
        if (limit != Workflow.UNKNOWN) {
            long seconds = (limit - 1) / TimeText.SECOND + 1;
            if (seconds <= Integer.MAX_VALUE) {
                line("allowed_execute_duration", Long.toString(seconds));
            }
            line("My.SheafLimit", TimeText.seconds(limit));
        }
    }

    private void attributes() throws IOException {
        if (!name.equals(workflow.id(task))) {
            line("My.SheafId", Quoting.quoteString(workflow.id(task)));
        }
        String category = workflow.category(task).name();
        if (!DagmanWriter.isWord(category)) {
            line("My.SheafCategory", Quoting.quoteString(category));
        }
        if (workflow.timeMicros(task) != Workflow.UNKNOWN) {
            line("My.SheafTime", TimeText.seconds(workflow.timeMicros(task)));
        }
        if (workflow.priority(task) != 0) {
            line("My.SheafPriority", Integer.toString(workflow.priority(task)));
        }
        Scaling scaling = workflow.scaling(task);
        if (scaling != null) {
            line("My.SheafScaling", Quoting.quoteString(ScalingText.write(scaling)));
        }
    }

    private void files(String attribute, int count, IntUnaryOperator fileAt) throws IOException {
        if (count == 0) {
            return;
        }
        List<String> words = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int file = fileAt.applyAsInt(i);
            words.add(workflow.fileName(file));
            long size = workflow.fileSize(file);
            words.add(size == Workflow.UNKNOWN ? "-" : Long.toString(size));
        }
        line(attribute, Quoting.quoteString(ShellWords.join(words)));
    }

    private void line(String command, String value) throws IOException {
        out.write("    " + command + " = " + value + "\n");
    }

    /** A value that may run over several lines. */
    private void text(String command, String value) throws IOException {
        if (value.indexOf('\n') < 0 && value.indexOf('\r') < 0) {
            line(command, value);
            return;
        }
        String tag = "end";
        while (value.contains("@" + tag)) {
            tag += "_";
        }
        for (String part : value.split("\n", -1)) {
            // DAGMan searches the closing brace of the description before anything else.
            if (part.stripLeading().startsWith("}") || part.endsWith("\r")) {
                throw new InputException("task '" + workflow.id(task) + "' has a command with a line '" + part.strip()
                        + "' that a DAGMan file cannot represent; put the script into its own file");
            }
        }
        out.write("    " + command + " @=" + tag + "\n" + value + "\n@" + tag + "\n");
    }
}
