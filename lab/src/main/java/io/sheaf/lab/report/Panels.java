package io.sheaf.lab.report;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A table of runs in parts, each of which is a figure in the papers: everything but workflow, strategy and start is the same in it.
 *
 * <p>Columns that are the same throughout, or follow from others (the nodes from the cluster, the policy from the profile), do not count.
 */
final class Panels {
    /** What may tell parts from each other, the most telling first. */
    private static final List<String> COLUMNS = List.of(
            "cluster",
            "platform",
            "model",
            "profile",
            "estimates",
            "cap",
            "order",
            "cancelled",
            "policy",
            "placement",
            "scale_load",
            "cores_per_node",
            "task_times",
            "from_seconds",
            "group",
            "load",
            "nodes");

    private final List<String> telling;
    private final Map<List<String>, List<Runs.Run>> parts = new LinkedHashMap<>();

    /** Parts by these columns; by all that tell if none are named. */
    Panels(Runs runs, List<String> by) {
        by.forEach(column -> runs.column(Threshold.column(column)));
        telling = by.isEmpty() ? telling(runs) : List.copyOf(by);
        for (Runs.Run run : runs.all()) {
            parts.computeIfAbsent(key(runs, run, telling), key -> new ArrayList<>())
                    .add(run);
        }
    }

    private static List<String> telling(Runs runs) {
        List<String> telling = new ArrayList<>();
        int parts = 1;
        for (String column : COLUMNS.stream().filter(runs::has).toList()) {
            List<String> more = new ArrayList<>(telling);
            more.add(column);
            HashSet<List<String>> keys = new HashSet<>();
            runs.all().forEach(run -> keys.add(key(runs, run, more)));
            if (keys.size() > parts) {
                telling = more;
                parts = keys.size();
            }
        }
        return telling;
    }

    private static List<String> key(Runs runs, Runs.Run run, List<String> columns) {
        return columns.stream()
                .map(column -> Threshold.value(runs, run, column))
                .toList();
    }

    /** The columns that tell the parts from each other. */
    List<String> columns() {
        return telling;
    }

    /** The runs of each part, by the values of those columns. */
    Map<List<String>, List<Runs.Run>> parts() {
        return parts;
    }
}
