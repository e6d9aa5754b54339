package io.sheaf.formats.dax;

import io.sheaf.formats.NumberText;
import io.sheaf.formats.yaml.Node;
import io.sheaf.formats.yaml.Node.Items;
import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.formats.yaml.NodeTypes;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.List;

/** A job of a Pegasus 5 workflow. */
final class PegasusJob {
    private static final List<String> KEYS = List.of(
            "id",
            "type",
            "name",
            "namespace",
            "version",
            "nodeLabel",
            "arguments",
            "stdin",
            "stdout",
            "stderr",
            "uses",
            "profiles",
            "metadata",
            "hooks");

    private final long place;
    private final PegasusTask task;
    private final String name;
    private final String key;
    private final List<PegasusProfile> profiles = new ArrayList<>();

    PegasusJob(Mapping fields, WorkflowBuilder builder) {
        place = fields.place();
        Text id = required(fields, "id", "a job");
        refuseWorkflows(fields, id);
        name = required(fields, "name", "job '" + id.text() + "'").text();
        key = key(fields, name);
        task = new PegasusTask(builder, id.text(), name, id.place());
        fields.forEach(this::field);
        task.endFiles();
    }

    /** A sub-workflow has a file instead of a name. */
    private static void refuseWorkflows(Mapping fields, Text id) {
        Node type = fields.get("type");
        if (type != null && !NodeTypes.text(type, "type").text().equals("job")) {
            throw new InputException(
                    "job '" + id.text() + "' is a sub-workflow, which Sheaf does not read; plan it separately",
                    type.place());
        }
    }

    /** The key that matches jobs and transformations: namespace, name and version. */
    static String key(Mapping fields, String name) {
        return optional(fields, "namespace") + "::" + name + ":" + optional(fields, "version");
    }

    static String optional(Mapping fields, String key) {
        Node value = fields.get(key);
        return value == null ? "" : NodeTypes.text(value, key).text();
    }

    static Text required(Mapping fields, String key, String noun) {
        Node value = fields.get(key);
        if (value == null) {
            throw new InputException(noun + " has no '" + key + "'; add it", fields.place());
        }
        return NodeTypes.text(value, key);
    }

    private void field(Text field, Node value) {
        switch (field.text()) {
            case "arguments" -> arguments(value);
            case "stdin", "stdout", "stderr" -> task.stream(field.text(), fileName(value, field.text()));
            case "uses" -> NodeTypes.items(value, "'uses'").items().forEach(this::uses);
            case "profiles" -> profiles.addAll(PegasusProfile.read(value));
            default -> {
                if (!KEYS.contains(field.text()) && !field.text().startsWith("x-")) {
                    throw NodeTypes.unknownKey(field, "a job", KEYS);
                }
            }
        }
    }

    /** A name, or a file written out as a map with its name. */
    private static String fileName(Node value, String noun) {
        return value instanceof Mapping fields
                ? required(fields, "lfn", noun).text()
                : NodeTypes.text(value, noun).text();
    }

    /** Pegasus puts blanks between them and has the whole split again, so that one may hold several words. */
    private void arguments(Node value) {
        Items items = NodeTypes.items(value, "'arguments'");
        if (items.items().isEmpty()) {
            return;
        }
        StringBuilder text = new StringBuilder();
        for (Node item : items.items()) {
            text.append(text.isEmpty() ? "" : " ").append(fileName(item, "arguments"));
        }
        task.arguments(text.toString());
    }

    private void uses(Node node) {
        Mapping use = NodeTypes.fields(node, "an entry of 'uses'");
        String file = required(use, "lfn", "an entry of 'uses'").text();
        Text type = required(use, "type", "file '" + file + "'");
        if (!task.uses(file, type.text(), size(use, file))) {
            throw new InputException(
                    "type '" + type.text() + "' of file '" + file + "' is unknown; write input, output or inout",
                    type.place());
        }
    }

    /** Pegasus's library writes a file's size into its metadata. */
    private static long size(Mapping use, String file) {
        Node size = use.get("size");
        if (size == null && use.get("metadata") instanceof Mapping metadata) {
            size = metadata.get("size");
        }
        if (size == null) {
            return Workflow.UNKNOWN;
        }
        String text = NodeTypes.text(size, "size").text();
        return InputException.at(size.place(), () -> NumberText.bytes(text, "the size of file '" + file + "'"));
    }

    /** Applies the workflow's profiles, then the transformation's, then the job's own, of which the last one holds. */
    void finish(List<PegasusProfile> ofAll, PegasusCatalog catalog, WorkflowBuilder builder) {
        PegasusRequirements requirements = new PegasusRequirements();
        try {
            PegasusCatalog.Transformation transformation = catalog.transformation(key);
            ofAll.forEach(requirements::add);
            transformation.executable().profiles().forEach(requirements::add);
            profiles.forEach(requirements::add);
            catalog.describe(name, transformation, builder);
            String program = transformation.executable().program();
            task.finish(requirements, program == null ? catalog.replica(name) : program);
        } catch (InputException e) {
            throw e.at(place);
        }
    }
}
