package io.sheaf.formats.dagman;

import io.sheaf.formats.ScalingText;
import io.sheaf.formats.ShellWords;
import io.sheaf.formats.WorkflowWriter;
import io.sheaf.text.InputException;
import io.sheaf.text.SizeText;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;

/**
 * Writes a DAGMan file with an inline submit description for each node.
 *
 * <p>DAGMan submits ready nodes of higher PRIORITY first, so the written priorities are ranks by bottom level. The author's priority is in
 * a job attribute, from which the reader restores it.
 */
public final class DagmanWriter implements WorkflowWriter {
    private static final Set<String> RESERVED = Set.of("parent", "child", "all_nodes");

    @Override
    public Label label() {
        return new Label("dagman", "HTCondor DAGMan in one file", ".dag");
    }

    @Override
    public void write(Workflow workflow, Writer out) throws IOException {
        SafeNames names = new SafeNames(workflow);
        out.write("SET_JOB_ATTR SheafWorkflow = " + Quoting.quoteString(workflow.name()) + "\n");
        out.write("SET_JOB_ATTR SheafPriorities = \"ranks\"\n");
        categories(workflow, out);
        int[] ranks = ranks(workflow);
        for (int task = 0; task < workflow.size(); task++) {
            String name = names.name(task);
            out.write("\nJOB " + name + " {\n");
            new NodeText(workflow, task, name, out).write();
            out.write("}\n");
            String category = workflow.category(task).name();
            if (isWord(category)) {
                out.write("CATEGORY " + name + " " + category + "\n");
            }
            if (workflow.retries(task) > 0) {
                out.write("RETRY " + name + " " + workflow.retries(task) + "\n");
            }
            out.write("PRIORITY " + name + " " + ranks[task] + "\n");
        }
        edges(workflow, names, out);
    }

    private static void categories(Workflow workflow, Writer out) throws IOException {
        int number = 1;
        for (Category category : workflow.categories()) {
            if (!category.setup().isEmpty() || category.container() != null) {
                List<String> words = new ArrayList<>();
                words.add(category.name());
                words.add(category.container() == null ? "" : category.container());
                words.addAll(category.setup());
                out.write("SET_JOB_ATTR SheafCategory" + number + " = " + Quoting.quoteString(ShellWords.join(words))
                        + "\n");
                number++;
            }
        }
    }

    /** For each task, how many different bottom levels there are up to its own. */
    static int[] ranks(Workflow workflow) {
        long[] bottom = workflow.bottomLevels();
        long[] ascending = Arrays.stream(bottom).sorted().distinct().toArray();
        return Arrays.stream(bottom)
                .mapToInt(level -> Arrays.binarySearch(ascending, level) + 1)
                .toArray();
    }

    /** One line for all children that have the same parents. */
    private static void edges(Workflow workflow, SafeNames names, Writer out) throws IOException {
        Map<List<Integer>, List<Integer>> children = new LinkedHashMap<>();
        for (int task = 0; task < workflow.size(); task++) {
            List<Integer> parents = new ArrayList<>();
            for (int i = 0; i < workflow.parents(task); i++) {
                parents.add(workflow.parent(task, i));
            }
            if (!parents.isEmpty()) {
                children.computeIfAbsent(parents, none -> new ArrayList<>()).add(task);
            }
        }
        out.write("\n");
        for (Map.Entry<List<Integer>, List<Integer>> entry : children.entrySet()) {
            out.write("PARENT " + names.of(entry.getKey()) + " CHILD " + names.of(entry.getValue()) + "\n");
        }
    }

    /** DAGMan keeps dots and plus signs to itself. */
    private static boolean isAllowed(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    }

    static boolean isWord(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> isAllowed(c) || c == '.' || c == ':');
    }

    /** Writes the submit commands of one task. */
    private record NodeText(Workflow workflow, int task, String name, Writer out) {
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
                    throw new InputException("task '" + workflow.id(task) + "' has a command with a line '"
                            + part.strip() + "' that a DAGMan file cannot represent; put the script into its own file");
                }
            }
            out.write("    " + command + " @=" + tag + "\n" + value + "\n@" + tag + "\n");
        }
    }

    /**
     * Task ids in the character set of DAGMan: each forbidden character becomes an underscore, and colliding names get a number.
     *
     * <p>Valid ids are unchanged.
     */
    static final class SafeNames {
        private final String[] names;

        /** Names for all tasks; reserved words are no names in any case. */
        SafeNames(Workflow workflow) {
            names = new String[workflow.size()];
            Set<String> taken = new HashSet<>();
            for (int task = 0; task < names.length; task++) {
                String id = workflow.id(task);
                if (id.chars().allMatch(DagmanWriter::isAllowed) && !RESERVED.contains(id.toLowerCase(Locale.ROOT))) {
                    names[task] = id;
                    taken.add(id);
                }
            }
            Map<String, Integer> next = new HashMap<>();
            for (int task = 0; task < names.length; task++) {
                if (names[task] == null) {
                    names[task] = free(cleaned(workflow.id(task)), taken, next);
                }
            }
        }

        private static String free(String cleaned, Set<String> taken, Map<String, Integer> next) {
            int number = next.getOrDefault(cleaned, 1);
            String name = number == 1 ? cleaned : cleaned + "_" + number;
            while (RESERVED.contains(name.toLowerCase(Locale.ROOT)) || !taken.add(name)) {
                number++;
                name = cleaned + "_" + number;
            }
            next.put(cleaned, number + 1);
            return name;
        }

        String name(int task) {
            return names[task];
        }

        private String of(List<Integer> tasks) {
            return tasks.stream().map(this::name).collect(Collectors.joining(" "));
        }

        private static String cleaned(String id) {
            StringBuilder out = new StringBuilder();
            id.chars().forEach(c -> out.append(isAllowed(c) ? (char) c : '_'));
            return out.toString();
        }
    }
}
