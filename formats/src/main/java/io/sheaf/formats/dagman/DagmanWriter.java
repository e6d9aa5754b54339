package io.sheaf.formats.dagman;

import io.sheaf.formats.SafeNames;
import io.sheaf.formats.ShellWords;
import io.sheaf.formats.WorkflowWriter;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
        SafeNames names = new SafeNames(workflow, DagmanWriter::isAllowed, RESERVED);
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
            out.write("PARENT");
            for (int parent : entry.getKey()) {
                out.write(" " + names.name(parent));
            }
            out.write(" CHILD");
            for (int child : entry.getValue()) {
                out.write(" " + names.name(child));
            }
            out.write("\n");
        }
    }

    /** DAGMan keeps dots and plus signs to itself. */
    private static boolean isAllowed(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    }

    static boolean isWord(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> isAllowed(c) || c == '.' || c == ':');
    }
}
