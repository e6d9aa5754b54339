package io.sheaf.formats.dagman;

import io.sheaf.formats.ShellWords;
import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowReader;
import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads HTCondor DAGMan files with the submit files that they refer to.
 *
 * <p>A node becomes a task; its submit description and its PRE and POST scripts become the task's command. Paths in it are relative to
 * the folder of the DAG file, as they are for DAGMan when the file is submitted from there.
 */
public final class DagmanReader implements WorkflowReader {
    @Override
    public Label label() {
        return new Label("dagman", "HTCondor DAGMan with submit files", ".dag");
    }

    @Override
    public boolean recognises(String head) {
        return head.lines().anyMatch(line -> line.stripLeading().regionMatches(true, 0, "JOB ", 0, 4));
    }

    @Override
    public Workflow read(Source source, boolean fileEdges) {
        return source.read(in -> {
            DagFile file = new DagFile(source.name());
            file.read(new Lines(in));
            if (file.isIgnored()) {
                throw new InputException(
                        "the file contains no node; write a line for each: JOB name file.sub", Place.of(1, 1));
            }
            return new DagWorkflow(file, source).build(fileEdges);
        });
    }

    /** Makes a workflow of a DAG file and the submit files that it names. */
    private static final class DagWorkflow {
        private final DagFile dag;
        private final Source source;
        private final Map<String, SubmitDescription> files = new HashMap<>();

        DagWorkflow(DagFile dag, Source source) {
            this.dag = dag;
            this.source = source;
        }

        Workflow build(boolean fileEdges) {
            String name = dag.attribute(SheafNames.WORKFLOW);
            WorkflowBuilder builder = new WorkflowBuilder(name.isEmpty() ? source.stem() : name).fileEdges(fileEdges);
            for (Map.Entry<String, SubmitDescription.SubmitValue> attribute : dag.attributes.entrySet()) {
                if (attribute.getKey().startsWith(SheafNames.CATEGORY_DESCRIPTION)) {
                    try {
                        category(builder, attribute.getValue().value());
                    } catch (InputException e) {
                        throw e.at(attribute.getValue().place());
                    }
                }
            }
            boolean ranked = dag.attribute(SheafNames.PRIORITIES).equals(SheafNames.RANKS);
            Map<String, String> ids = new HashMap<>();
            for (DagNode node : dag.nodes.values()) {
                NodeTask task = new NodeTask(node, description(node), builder);
                ids.put(node.name, task.add(ranked));
            }
            for (DagFile.Dependency dependency : dag.dependencies) {
                for (String child : dependency.children()) {
                    for (String parent : dependency.parents()) {
                        builder.edge(
                                ids.getOrDefault(parent, parent), ids.getOrDefault(child, child), dependency.place());
                    }
                }
            }
            return builder.build();
        }

        private static void category(WorkflowBuilder builder, String text) {
            List<String> words = ShellWords.split(text);
            if (words.size() < 2) {
                throw new InputException("SET_JOB_ATTR SheafCategory needs a name and a container");
            }
            String container = words.get(1).isEmpty() ? null : words.get(1);
            builder.describe(new Category(words.get(0), words.subList(2, words.size()), container));
        }

        private SubmitDescription description(DagNode node) {
            if (node.inline != null) {
                return node.inline;
            }
            String submit = node.submit == null ? "" : node.submit;
            SubmitDescription named = dag.descriptions.get(submit);
            if (named != null) {
                return named;
            }
            String path = NodeTask.in(node.folder, submit);
            SubmitDescription known = files.get(path);
            if (known == null) {
                known = read(node, path);
                files.put(path, known);
            }
            return known;
        }

        private SubmitDescription read(DagNode node, String path) {
            Source file = source.sibling(path);
            try {
                return file.read(in -> SubmitDescription.ofFile(new Lines(in), file.stem(), file.name()));
            } catch (InputException e) {
                if (e.place() != Place.NONE) {
                    throw e;
                }
                // A file that cannot be opened is missed where it is named.
                throw new InputException(
                        "the submit file '" + path + "' of node '" + node.name + "': " + e.problem(), node.place);
            }
        }
    }
}
