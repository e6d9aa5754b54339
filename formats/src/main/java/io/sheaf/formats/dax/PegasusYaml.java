package io.sheaf.formats.dax;

import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowReader;
import io.sheaf.formats.yaml.Node;
import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.formats.yaml.NodeTypes;
import io.sheaf.formats.yaml.YamlTree;
import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the YAML of Pegasus 5 ({@code pegasus: "5.0"}), the successor of DAX.
 *
 * <p>By default edges come from {@code jobDependencies} only; Pegasus's own library writes edges that follow from files there.
 */
public final class PegasusYaml implements WorkflowReader {
    @Override
    public Label label() {
        return new Label("pegasus", "Pegasus 5 (YAML)", ".yml", ".yaml");
    }

    @Override
    public boolean recognises(String head) {
        return head.lines().anyMatch(line -> line.startsWith("pegasus:") || line.startsWith("x-pegasus:"));
    }

    @Override
    public Workflow read(Source source, boolean fileEdges) {
        return new PegasusDocument(source.stem(), fileEdges).read(source);
    }

    /**
     * The entries of a Pegasus 5 workflow during reading.
     *
     * <p>Jobs become tasks one by one; their transformations are resolved at the end of the file, because the catalog may be anywhere.
     */
    private static final class PegasusDocument implements YamlTree.Entries {
        private static final List<String> KEYS = List.of(
                "pegasus",
                "name",
                "version",
                "siteCatalog",
                "replicaCatalog",
                "transformationCatalog",
                "jobs",
                "jobDependencies",
                "profiles",
                "hooks",
                "metadata");
        private static final int MAX_EDGES = 50_000_000;

        private final WorkflowBuilder builder;
        private final PegasusCatalog catalog = new PegasusCatalog();
        private final List<PegasusProfile> profiles = new ArrayList<>();
        private final List<PegasusJob> jobs = new ArrayList<>();
        private boolean hasVersion;
        private long edges;

        PegasusDocument(String nameOtherwise, boolean fileEdges) {
            builder = new WorkflowBuilder(nameOtherwise).fileEdges(fileEdges);
        }

        Workflow read(Source source) {
            YamlTree.each(source, this);
            try {
                if (!hasVersion) {
                    throw new InputException(
                            "has no 'pegasus: \"5.0\"'; this is not a workflow of Pegasus 5", Place.of(1, 1));
                }
                if (jobs.isEmpty()) {
                    throw new InputException("there are no jobs; add at least one below 'jobs:'", Place.of(1, 1));
                }
                for (PegasusJob job : jobs) {
                    job.finish(profiles, catalog, builder);
                }
                return builder.build();
            } catch (InputException e) {
                throw e.in(source.name());
            }
        }

        @Override
        public boolean isLong(String key) {
            return key.equals("jobs") || key.equals("jobDependencies");
        }

        @Override
        public void entry(Text key, Node value) {
            switch (key.text()) {
                case "pegasus" -> version(NodeTypes.text(value, "pegasus"));
                case "name" -> builder.name(NodeTypes.text(value, "name").text());
                case "transformationCatalog" ->
                    catalog.transformations(NodeTypes.fields(value, "'transformationCatalog'"));
                case "replicaCatalog" -> catalog.replicas(NodeTypes.fields(value, "'replicaCatalog'"));
                case "profiles" -> profiles.addAll(PegasusProfile.read(value));
                case "jobs", "jobDependencies" -> NodeTypes.items(value, "'" + key.text() + "'");
                default -> {
                    // Sites, hooks, metadata: nothing that a task needs.
                    if (!KEYS.contains(key.text()) && !key.text().startsWith("x-")) {
                        throw NodeTypes.unknownKey(key, "a Pegasus workflow", KEYS);
                    }
                }
            }
        }

        @Override
        public void item(Text key, Node item) {
            if (key.text().equals("jobs")) {
                jobs.add(new PegasusJob(NodeTypes.fields(item, "a job"), builder));
            } else {
                dependency(NodeTypes.fields(item, "a dependency"));
            }
        }

        private void version(Text version) {
            if (!version.text().startsWith("5")) {
                throw new InputException(
                        "Pegasus version '" + version.text()
                                + "' is not supported; Sheaf reads 5.x, and DAX (XML) of the earlier ones",
                        version.place());
            }
            hasVersion = true;
        }

        private void dependency(Mapping fields) {
            String parent = PegasusJob.required(fields, "id", "a dependency").text();
            Node children = fields.get("children");
            if (children == null) {
                return;
            }
            for (Text child : NodeTypes.texts(children, "children")) {
                edges++;
                if (edges > MAX_EDGES) {
                    throw new InputException(
                            "more than " + MAX_EDGES + " edges; put a job between the parents and children",
                            child.place());
                }
                builder.edge(parent, child.text(), child.place());
            }
        }
    }
}
