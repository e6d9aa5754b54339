package io.sheaf.formats.dagman;

import io.sheaf.formats.ShellWords;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Makes one command of a node's executable, folder, redirections and scripts.
 *
 * <p>A node with none of these but the executable is just that program with its arguments. Otherwise a shell script does what DAGMan would:
 * run the PRE script and stop if it fails, run the job in its folder, and run the POST script, whose exit status is then that of the
 * node. Where DAGMan runs the scripts on the access point, they run here on the task's node.
 */
record NodeCommand(DagNode node, Macros macros) {
    /** The command for an executable, which is relative to the folder that the node is submitted from. */
    Command of(String executable) {
        List<String> argv = new ArrayList<>();
        argv.add(Paths.program(Paths.in(node.folder, executable)));
        argv.addAll(arguments());
        return of(argv);
    }

    /** The command for a program that the arguments name. */
    Command ofArguments() {
        List<String> argv = arguments();
        if (argv.isEmpty()) {
            throw macros.at(
                    "arguments", new InputException("node '" + node.name + "' has no program in its arguments"));
        }
        return of(argv);
    }

    Command of(List<String> argv) {
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
        StringBuilder line = new StringBuilder(ShellWords.quote(Paths.program(script.get(0))));
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
        return folder.isEmpty() ? node.folder : Paths.in(node.folder, folder);
    }

    private String path(String command) {
        String path = macros.value(command);
        return path == null ? "" : Quoting.string(path);
    }

    private List<String> arguments() {
        try {
            String value = macros.value("arguments");
            value = value == null ? macros.value("args") : value;
            return value == null ? List.of() : Quoting.arguments(value);
        } catch (InputException e) {
            throw macros.at("arguments", e);
        }
    }

    private Map<String, String> environment() {
        try {
            String value = macros.value("environment");
            value = value == null ? macros.value("env") : value;
            return value == null ? Map.of() : Quoting.environment(value);
        } catch (InputException e) {
            throw macros.at("environment", e);
        }
    }
}
