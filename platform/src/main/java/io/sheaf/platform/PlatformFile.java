package io.sheaf.platform;

import io.sheaf.platform.Platform.Fabric;
import io.sheaf.platform.Platform.UserMachine;
import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import io.sheaf.text.Place;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Reads a platform from YAML: {@code name}, {@code clusters}, {@code user}, {@code fabric}, {@code publishedOrder}.
 *
 * <p>Bandwidths are in MB/s, latencies in microseconds, speeds in Gflop/s, power in watts. Defaults are those of the published study.
 */
final class PlatformFile {
    private static final double MEGA = 1e6;
    private static final double MICRO = 1e-6;
    private static final int MOST_CHARACTERS = 1 << 20;
    private static final List<String> TOP = List.of("name", "clusters", "user", "fabric", "publishedOrder");
    private static final List<String> CLUSTER =
            List.of("name", "nodes", "cores", "speed", "bandwidth", "latency", "disk", "idleWatts", "busyWatts");
    private static final List<String> USER = List.of("bandwidth", "latency", "disk");
    private static final List<String> FABRIC = List.of("backbone", "node", "nodeLatency");
    private static final Settings NOTHING = new Settings(Map.of(), Place.NONE);

    private PlatformFile() {}

    static Platform parse(String text, String defaultName) {
        if (text.length() > MOST_CHARACTERS) {
            throw new InputException("is too large for a platform file (1 MiB)");
        }
        try {
            Optional<Node> root =
                    new Compose(LoadSettings.builder().setLabel("platform").build()).composeString(text);
            if (root.isEmpty()) {
                throw new InputException("is empty; a platform file needs 'clusters:' with at least one below it");
            }
            return platform(settings(root.get(), "a platform", TOP), defaultName);
        } catch (MarkedYamlEngineException e) {
            throw new InputException("is not YAML: " + e.getProblem(), place(e.getProblemMark()));
        } catch (YamlEngineException e) {
            throw new InputException("is not YAML: " + e.getMessage());
        }
    }

    private static Platform platform(Settings top, String defaultName) {
        Node listed = top.nodes().get("clusters");
        if (!(listed instanceof SequenceNode list) || list.getValue().isEmpty()) {
            throw new InputException("there are no clusters; list them below 'clusters:'", top.place());
        }
        if (list.getValue().size() > Platform.MOST_CLUSTERS) {
            throw new InputException(
                    "there are more than " + Platform.MOST_CLUSTERS + " clusters; list fewer",
                    place(list.getStartMark()));
        }
        List<PlatformCluster> clusters = new ArrayList<>();
        for (Node node : list.getValue()) {
            clusters.add(cluster(settings(node, "a cluster", CLUSTER), "cluster " + (clusters.size() + 1)));
        }
        Settings user = top.below("user", USER);
        Settings fabric = top.below("fabric", FABRIC);
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
                order(top.nodes().get("publishedOrder"), clusters.size()));
    }

    private static PlatformCluster cluster(Settings given, String defaultName) {
        double idle = given.zeroOrMore("idleWatts", 10);
        return new PlatformCluster(
                given.text("name", defaultName),
                given.count("nodes"),
                given.count("cores"),
                given.positive("speed", PlatformCluster.REFERENCE_SPEED),
                given.positive("bandwidth", 100) * MEGA,
                given.zeroOrMore("latency", 20) * MICRO,
                given.positive("disk", 100) * MEGA,
                idle,
                Math.max(idle, given.zeroOrMore("busyWatts", 100)));
    }

    private static List<Integer> order(@Nullable Node node, int clusters) {
        List<Integer> straight = IntStream.range(0, clusters).boxed().toList();
        if (node == null) {
            return straight;
        }
        List<Integer> order = new ArrayList<>();
        if (node instanceof SequenceNode list) {
            for (Node item : list.getValue()) {
                order.add((int) number(item, "publishedOrder"));
            }
        }
        if (!order.stream().sorted().toList().equals(straight)) {
            throw new InputException(
                    "'publishedOrder' lists every cluster once, from 0 to " + (clusters - 1),
                    place(node.getStartMark()));
        }
        return order;
    }

    private static Settings settings(Node node, String what, List<String> known) {
        if (!(node instanceof MappingNode mapping)) {
            throw new InputException(what + " is a map with lines 'name: value'", place(node.getStartMark()));
        }
        Map<String, Node> found = new LinkedHashMap<>();
        for (NodeTuple pair : mapping.getValue()) {
            long place = place(pair.getKeyNode().getStartMark());
            String key = pair.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "";
            if (!known.contains(key)) {
                throw new InputException(
                        "'" + key + "' is not known in " + what + "." + Nearest.hint(key, known) + " There are: "
                                + String.join(", ", known) + ".",
                        place);
            }
            if (found.put(key, pair.getValueNode()) != null) {
                throw new InputException("'" + key + "' is given twice; keep one of them", place);
            }
        }
        return new Settings(found, place(mapping.getStartMark()));
    }

    private static double number(Node node, String key) {
        String text = node instanceof ScalarNode scalar ? scalar.getValue() : "";
        try {
            double value = Double.parseDouble(text);
            if (Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Reported below, like every other value that is not a number.
        }
        throw new InputException("'" + key + "' must be a number, not '" + text + "'", place(node.getStartMark()));
    }

    private static long place(Optional<Mark> mark) {
        return mark.map(at -> Place.of(at.getLine() + 1L, at.getColumn() + 1L)).orElse(Place.NONE);
    }

    /** The lines of a map. */
    private record Settings(Map<String, Node> nodes, long place) {
        String text(String key, String byDefault) {
            return nodes.get(key) instanceof ScalarNode scalar ? scalar.getValue() : byDefault;
        }

        Settings below(String key, List<String> known) {
            Node node = nodes.get(key);
            return node == null ? NOTHING : settings(node, "'" + key + "'", known);
        }

        double zeroOrMore(String key, double byDefault) {
            return atLeast(key, byDefault, 0);
        }

        double positive(String key, double byDefault) {
            return atLeast(key, byDefault, Double.MIN_VALUE);
        }

        int count(String key) {
            Node node = nodes.get(key);
            if (node == null) {
                throw new InputException("'" + key + "' is missing; say how many", place);
            }
            double value = number(node, key);
            if (value < 1 || value > 1_000_000 || value != Math.rint(value)) {
                throw new InputException(
                        "'" + key + "' must be a whole number from 1 to 1000000",
                        PlatformFile.place(node.getStartMark()));
            }
            return (int) value;
        }

        private double atLeast(String key, double byDefault, double least) {
            Node node = nodes.get(key);
            double value = node == null ? byDefault : number(node, key);
            if (value < least) {
                throw new InputException(
                        "'" + key + "' must be " + (least > 0 ? "above 0" : "0 or more"),
                        node == null ? place : PlatformFile.place(node.getStartMark()));
            }
            return value;
        }
    }
}
