package io.sheaf.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Binds a task to its cores with {@code taskset}, if it is installed and the node has more cores than the task may use.
 *
 * @param allowed the machine's numbers of the cores that this agent may use; empty if tasks are not bound
 */
record Affinity(List<Integer> allowed) {
    private static final Path TASKSET = Path.of("/usr/bin/taskset");

    static Affinity none() {
        return new Affinity(List.of());
    }

    /** For an agent with this number of cores; no effect if the operating system allows fewer. */
    static Affinity of(int cores) {
        if (Files.isExecutable(TASKSET)) {
            try {
                for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                    if (line.startsWith("Cpus_allowed_list:")) {
                        List<Integer> allowed =
                                parse(line.substring(line.indexOf(':') + 1).strip());
                        return allowed.size() >= cores ? new Affinity(allowed) : none();
                    }
                }
            } catch (IOException | NumberFormatException e) {
                return none();
            }
        }
        return none();
    }

    /** A list such as {@code 0-3,8}. */
    static List<Integer> parse(String list) {
        List<Integer> cores = new ArrayList<>();
        for (String range : list.split(",")) {
            int dash = range.indexOf('-');
            int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
            int last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
            for (int core = first; core <= last; core++) {
                cores.add(core);
            }
        }
        return cores;
    }

    /** The prefix of a command. */
    List<String> prefix(List<Integer> cores) {
        if (cores.size() >= allowed.size()) {
            return List.of();
        }
        String list =
                cores.stream().map(core -> String.valueOf(allowed.get(core))).collect(Collectors.joining(","));
        return List.of(TASKSET.toString(), "-c", list);
    }
}
