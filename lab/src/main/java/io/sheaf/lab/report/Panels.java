package io.sheaf.lab.report;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The parts of a table of runs, as in the figures of papers: runs of a part differ only in workflow, strategy and start.
 *
 * <p>Columns that are constant or determined by other columns (the nodes by the cluster, the policy by the profile) are ignored.
 */
final class Panels {
    /** The columns that may distinguish parts, in this order. */
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

    private final List<String> distinguishing;
    private final Map<List<String>, List<Runs.Run>> parts = new LinkedHashMap<>();

    /** Parts by these columns; if none are named, by all that distinguish parts. */
    Panels(Runs runs, List<String> by) {
        by.forEach(column -> runs.column(Runs.columnOf(column)));
        distinguishing = by.isEmpty() ? distinguishing(runs) : List.copyOf(by);
        for (Runs.Run run : runs.all()) {
            parts.computeIfAbsent(key(runs, run, distinguishing), key -> new ArrayList<>())
                    .add(run);
        }
    }

    private static List<String> distinguishing(Runs runs) {
        List<String> distinguishing = new ArrayList<>();
        int parts = 1;
        for (String column : COLUMNS.stream().filter(runs::has).toList()) {
            List<String> more = new ArrayList<>(distinguishing);
            more.add(column);
            HashSet<List<String>> keys = new HashSet<>();
            runs.all().forEach(run -> keys.add(key(runs, run, more)));
            if (keys.size() > parts) {
                distinguishing = more;
                parts = keys.size();
            }
        }
        return distinguishing;
    }

    private static List<String> key(Runs runs, Runs.Run run, List<String> columns) {
        return columns.stream().map(column -> runs.value(run, column)).toList();
    }

    /** The columns that distinguish the parts. */
    List<String> columns() {
        return distinguishing;
    }

    /** The runs of each part, by the values of those columns. */
    Map<List<String>, List<Runs.Run>> parts() {
        return parts;
    }
}
