package io.sheaf.platform;

import io.sheaf.formats.NumberText;
import io.sheaf.formats.Source;
import io.sheaf.formats.yaml.Node;
import io.sheaf.formats.yaml.Node.Items;
import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.formats.yaml.NodeTypes;
import io.sheaf.formats.yaml.YamlTree;
import io.sheaf.platform.Platform.Fabric;
import io.sheaf.platform.Platform.UserMachine;
import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a platform from YAML: {@code name}, {@code clusters}, {@code user}, {@code fabric}, {@code publishedOrder}.
 *
 * <p>Bandwidths are in MB/s, latencies in microseconds, speeds in Gflop/s, power in watts. Defaults are those of the published study.
 */
final class PlatformFile {
    private static final double MEGA = 1e6;
    private static final double MICRO = 1e-6;
    private static final List<String> TOP = List.of("name", "clusters", "user", "fabric", "publishedOrder");
    private static final List<String> CLUSTER =
            List.of("name", "nodes", "cores", "speed", "bandwidth", "latency", "disk", "idleWatts", "busyWatts");
    private static final List<String> USER = List.of("bandwidth", "latency", "disk");
    private static final List<String> FABRIC = List.of("backbone", "node", "nodeLatency");
    private static final Mapping NOTHING = new Mapping(List.of(), List.of(), false, Place.NONE, 1);

    private PlatformFile() {}

    static Platform read(Source source) {
        Mapping top = YamlTree.read(source);
        try {
            return platform(MapEntries.of(top, "a platform", TOP), source.stem());
        } catch (InputException e) {
            throw e.in(source.name());
        }
    }

    private static Platform platform(MapEntries top, String defaultName) {
        if (!(top.get("clusters") instanceof Items list) || list.items().isEmpty()) {
            throw new InputException("there are no clusters; list them below 'clusters:'", top.place());
        }
        if (list.items().size() > Platform.MAX_CLUSTERS) {
            throw new InputException(
                    "there are more than " + Platform.MAX_CLUSTERS + " clusters; list fewer", list.place());
        }
        List<PlatformCluster> clusters = new ArrayList<>();
        for (Node node : list.items()) {
            clusters.add(cluster(MapEntries.of(node, "a cluster", CLUSTER), "cluster " + (clusters.size() + 1)));
        }
        MapEntries user = top.below("user", USER);
        MapEntries fabric = top.below("fabric", FABRIC);
        return new Platform(
                top.text("name", defaultName),
                clusters,
                new UserMachine(
                        user.positive("bandwidth", 100) * MEGA,
                        user.zeroOrMore("latency", 20) * MICRO,
                        user.positive("disk", 100) * MEGA),
                new Fabric(
                        fabric.positive("backbone", 12_500) * MEGA,
                        fabric.positive("node", 100_000) * MEGA,
                        fabric.zeroOrMore("nodeLatency", 10) * MICRO),
                order(top.get("publishedOrder"), clusters.size()));
    }

    private static PlatformCluster cluster(MapEntries settings, String defaultName) {
        double idle = settings.zeroOrMore("idleWatts", 10);
        return new PlatformCluster(
                settings.text("name", defaultName),
                settings.count("nodes"),
                settings.count("cores"),
                settings.positive("speed", PlatformCluster.REFERENCE_SPEED),
                settings.positive("bandwidth", 100) * MEGA,
                settings.zeroOrMore("latency", 20) * MICRO,
                settings.positive("disk", 100) * MEGA,
                idle,
                Math.max(idle, settings.zeroOrMore("busyWatts", 100)));
    }

    private static List<Integer> order(@Nullable Node node, int clusters) {
        List<Integer> straight = IntStream.range(0, clusters).boxed().toList();
        if (node == null) {
            return straight;
        }
        List<Integer> order = new ArrayList<>();
        for (Text item : NodeTypes.texts(node, "publishedOrder")) {
            order.add((int) number(item, "publishedOrder"));
        }
        if (!order.stream().sorted().toList().equals(straight)) {
            throw new InputException(
                    "'publishedOrder' must list every cluster once, from 0 to " + (clusters - 1), node.place());
        }
        return order;
    }

    private static double number(Node node, String key) {
        String text = NodeTypes.text(node, key).text();
        double value = NumberText.decimal(text);
        if (Double.isFinite(value)) {
            return value;
        }
        throw new InputException("'" + key + "' must be a number, not '" + text + "'", node.place());
    }

    /** The entries of a map. */
    private record MapEntries(Mapping fields) {
        static MapEntries of(Node node, String noun, List<String> known) {
            Mapping fields = NodeTypes.fields(node, noun);
            NodeTypes.checkKeys(fields, noun, known);
            return new MapEntries(fields);
        }

        @Nullable
        Node get(String key) {
            return fields.get(key);
        }

        long place() {
            return fields.place();
        }

        String text(String key, String byDefault) {
            return get(key) instanceof Text text ? text.text() : byDefault;
        }

        MapEntries below(String key, List<String> known) {
            Node node = get(key);
            return of(node == null ? NOTHING : node, "'" + key + "'", known);
        }

        double zeroOrMore(String key, double byDefault) {
            return atLeast(key, byDefault, 0);
        }

        double positive(String key, double byDefault) {
            return atLeast(key, byDefault, Double.MIN_VALUE);
        }

        int count(String key) {
            Node node = get(key);
            if (node == null) {
                throw new InputException("'" + key + "' is missing; write a number", place());
            }
            double value = number(node, key);
            if (value < 1 || value > 1_000_000 || value != Math.rint(value)) {
                throw new InputException("'" + key + "' must be a whole number from 1 to 1000000", node.place());
            }
            return (int) value;
        }

        private double atLeast(String key, double byDefault, double min) {
            Node node = get(key);
            double value = node == null ? byDefault : number(node, key);
            if (node != null && value < min) {
                throw new InputException("'" + key + "' must be " + (min > 0 ? "above 0" : "0 or more"), node.place());
            }
            return value;
        }
    }
}
