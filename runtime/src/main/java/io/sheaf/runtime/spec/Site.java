package io.sheaf.runtime.spec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cluster that pilot jobs of a run may be submitted to, and how its commands are run.
 *
 * @param name unique in a run
 * @param system its batch system
 * @param prefix words before each command, such as {@code ssh alpha}; none for commands of this machine
 * @param user the owner of the jobs there; empty for the user of this process
 * @param options passed to the batch system with each submission
 * @param nodes of an embedded cluster
 * @param cores of each node of an embedded cluster
 * @param price of a node-hour, relative to the other sites
 * @param staging how files get there; null if it shares a file system with the manager
 */
public record Site(
        String name,
        String system,
        List<String> prefix,
        String user,
        List<String> options,
        int nodes,
        int cores,
        double price,
        @Nullable Staging staging) {
    /** The pattern of a site's name: it is part of file names and pool names. */
    public static final String NAME = "[A-Za-z][A-Za-z0-9_-]{0,31}";

    private static final String LOCAL_NODES = "4";

    /**
     * How files get to a site that shares no file system with the manager, and back.
     *
     * @param folder at the site: a file of this machine has its path below it
     * @param copy the command, on this machine, that copies files {@link #FROM} this machine into the folder {@link #TO} there
     * @param fetch the same in the other direction
     * @param java the program there; empty for the path that it has here
     * @param address HOST:PORT at which agents there reach the manager; empty for the manager's own addresses
     */
    public record Staging(String folder, List<String> copy, List<String> fetch, String java, String address) {
        public static final String FROM = "{from}";
        public static final String TO = "{to}";

        public Staging {
            copy = List.copyOf(copy);
            fetch = List.copyOf(fetch);
        }
    }

    /** A cluster that commands with a prefix reach, for the user of this process. */
    public static Site of(String name, String system, List<String> prefix, List<String> options) {
        return new Site(name, system, prefix, "", options, 0, 0, 1, null);
    }

    public Site {
        prefix = List.copyOf(prefix);
        options = List.copyOf(options);
    }

    /** The site of a name from lines {@code key=value}, of which those of a list repeat their key. */
    public static Site read(String name, List<String> lines) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (String line : lines) {
            int equals = line.indexOf('=');
            values.computeIfAbsent(line.substring(0, Math.max(0, equals)), key -> new ArrayList<>())
                    .add(line.substring(equals + 1));
        }
        return new Site(
                name,
                first(values, "on", ""),
                values.getOrDefault("prefix", List.of()),
                first(values, "user", ""),
                values.getOrDefault("option", List.of()),
                Integer.parseInt(first(values, "nodes", LOCAL_NODES)),
                Integer.parseInt(first(values, "cores", "1")),
                Double.parseDouble(first(values, "price", "1")),
                !values.containsKey("folder")
                        ? null
                        : new Staging(
                                first(values, "folder", ""),
                                values.getOrDefault("copy", List.of()),
                                values.getOrDefault("fetch", List.of()),
                                first(values, "java", ""),
                                first(values, "address", "")));
    }

    private static String first(Map<String, List<String>> values, String key, String otherwise) {
        return values.getOrDefault(key, List.of(otherwise)).get(0);
    }

    /** The lines of {@link #read}. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>(List.of("on=" + system, "price=" + price));
        prefix.forEach(word -> lines.add("prefix=" + word));
        options.forEach(word -> lines.add("option=" + word));
        if (!user.isEmpty()) {
            lines.add("user=" + user);
        }
        if (isLocal()) {
            lines.addAll(List.of("nodes=" + nodes, "cores=" + cores));
        }
        if (staging != null) {
            lines.add("folder=" + staging.folder());
            staging.copy().forEach(word -> lines.add("copy=" + word));
            staging.fetch().forEach(word -> lines.add("fetch=" + word));
            lines.add("java=" + staging.java());
            lines.add("address=" + staging.address());
        }
        return lines;
    }

    public boolean isLocal() {
        return system.equals(Placement.LOCAL.system());
    }
}
