package io.sheaf.formats.dax;

import io.sheaf.formats.yaml.Node;
import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.formats.yaml.NodeTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A Pegasus profile: a setting of a job for one of several systems. */
record PegasusProfile(String namespace, String key, String value, long place) {
    /** Reads the profile at the cursor. */
    static PegasusProfile read(XmlCursor xml) {
        long place = xml.place();
        String namespace = xml.required("namespace").toLowerCase(Locale.ROOT);
        String key = xml.required("key");
        return new PegasusProfile(namespace, key, xml.text(), place);
    }

    /** The profiles of a map in YAML: a map of keys for each of the systems. */
    static List<PegasusProfile> read(Node node) {
        List<PegasusProfile> profiles = new ArrayList<>();
        NodeTypes.fields(node, "'profiles'").forEach((system, settings) -> {
            String namespace = system.text().toLowerCase(Locale.ROOT);
            if (!namespace.startsWith("x-")) {
                add(namespace, NodeTypes.fields(settings, "profile '" + namespace + "'"), profiles);
            }
        });
        return profiles;
    }

    private static void add(String namespace, Mapping fields, List<PegasusProfile> into) {
        fields.forEach((key, node) -> {
            // An empty text is a value, too: an environment variable may be set to nothing.
            if (node instanceof Text value) {
                into.add(new PegasusProfile(namespace, key.text(), value.text(), value.place()));
            } else if (!key.text().startsWith("x-")) {
                NodeTypes.text(node, key.text());
            }
        });
    }
}
