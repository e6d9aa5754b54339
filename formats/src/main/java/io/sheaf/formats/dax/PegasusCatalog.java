package io.sheaf.formats.dax;

import io.sheaf.formats.yaml.Node;
import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.formats.yaml.NodeTypes;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The catalogs inside a Pegasus 5 workflow: programs of transformations and their containers.
 *
 * <p>The first of several sites is used, because Sheaf has no Pegasus sites.
 */
final class PegasusCatalog {
    /** @param container its name in the catalog; empty if it runs in none */
    record Transformation(DaxExecutable executable, String container) {}

    private static final Transformation UNKNOWN = new Transformation(DaxExecutable.UNKNOWN, "");

    private final Map<String, Transformation> transformations = new HashMap<>();
    private final Map<String, String> containers = new HashMap<>();
    private final Map<String, String> replicas = new HashMap<>();

    void transformations(Mapping catalog) {
        for (Node node : items(catalog, "transformations")) {
            Mapping entry = NodeTypes.fields(node, "a transformation");
            String name = PegasusJob.required(entry, "name", "a transformation").text();
            List<PegasusProfile> profiles = profiles(entry);
            List<Node> sites = items(entry, "sites");
            String program = null;
            String container = "";
            if (!sites.isEmpty()) {
                Mapping site = NodeTypes.fields(sites.get(0), "a site");
                Text pfn = PegasusJob.required(site, "pfn", "the site of transformation '" + name + "'");
                program = DaxExecutable.program(pfn.text(), pfn.place());
                profiles.addAll(profiles(site));
                container = PegasusJob.optional(site, "container");
            }
            transformations.putIfAbsent(
                    PegasusJob.key(entry, name), new Transformation(new DaxExecutable(program, profiles), container));
        }
        for (Node node : items(catalog, "containers")) {
            Mapping entry = NodeTypes.fields(node, "a container");
            Text image = PegasusJob.required(entry, "image", "a container");
            containers.put(PegasusJob.required(entry, "name", "a container").text(), image(image));
        }
    }

    /** A file's path, or what a container program takes: Pegasus writes a registry's images with three slashes. */
    private static String image(Text image) {
        String path = DaxExecutable.program(image.text(), image.place());
        int scheme = path.indexOf(":///");
        return scheme < 0 ? path : path.substring(0, scheme) + "://" + path.substring(scheme + ":///".length());
    }

    void replicas(Mapping catalog) {
        for (Node node : items(catalog, "replicas")) {
            Mapping entry = NodeTypes.fields(node, "a replica");
            String file = PegasusJob.required(entry, "lfn", "a replica").text();
            List<Node> places = items(entry, "pfns");
            Mapping first = places.isEmpty() ? entry : NodeTypes.fields(places.get(0), "an entry of 'pfns'");
            if (first.get("pfn") != null) {
                Text pfn = PegasusJob.required(first, "pfn", "replica '" + file + "'");
                replicas.putIfAbsent(file, DaxExecutable.program(pfn.text(), pfn.place()));
            }
        }
    }

    private static List<Node> items(Mapping fields, String key) {
        Node list = fields.get(key);
        return list == null ? List.of() : NodeTypes.items(list, "'" + key + "'").items();
    }

    private static List<PegasusProfile> profiles(Mapping fields) {
        Node profiles = fields.get("profiles");
        return profiles == null ? new ArrayList<>() : PegasusProfile.read(profiles);
    }

    Transformation transformation(String key) {
        return transformations.getOrDefault(key, UNKNOWN);
    }

    /** The location of a file that has the name of a transformation but is not its program; null if no replica is known. */
    @Nullable
    String replica(String file) {
        return replicas.get(file);
    }

    /** Returns the container image of a transformation. */
    void describe(String category, Transformation transformation, WorkflowBuilder builder) {
        String image = containers.get(transformation.container());
        if (image != null) {
            builder.describe(new Category(category, List.of(), image));
        }
    }
}
