package io.sheaf.slurm.whatif;

import io.sheaf.runtime.batch.PilotJobScript;
import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the nodes of a Slurm cluster have for tasks: cores, memory without that of an agent, and GPUs by type. */
public final class HostResources {
    /** A GPU entry of a node's generic resources: {@code gpu:a100:2(S:0-1)}, {@code gpu:2}. */
    private static final Pattern GPU = Pattern.compile("(?:^|,)gpu:(?:([^:,()]+):)?(\\d+)");

    private static final String[] FIELDS = {"%N", "%c", "%m", "%G"};

    /** The format of {@code sinfo -N -o}. */
    static final String FORMAT = String.join("|", FIELDS);

    /** Sizes of memory that differ by less than this part are one. */
    private static final int ALIKE = 64;

    private static final int MOST_CLASSES = 6;

    private HostResources() {}

    /** A node with cores, MiB of memory and generic resources. */
    public static Resources of(int cores, long mebibytes, String generic) {
        int sum = 0;
        Map<String, Long> types = new TreeMap<>();
        for (Matcher matcher = GPU.matcher(generic); matcher.find(); ) {
            int count = Integer.parseInt(matcher.group(2));
            sum += count;
            if (matcher.group(1) != null) {
                types.merge(NamedAmounts.GPU + matcher.group(1), (long) count, Long::sum);
            }
        }
        long forTasks = Math.max(0, mebibytes - PilotJobScript.AGENT_MIB) << 20;
        return Resources.node(cores, forTasks, sum).named(NamedAmounts.of(types));
    }

    /** Parses the output of {@code sinfo -a -h -N -o FORMAT}: what each host has. Other lines are ignored. */
    static Map<String, Resources> read(String text) {
        Map<String, Resources> found = new HashMap<>();
        for (String line : text.split("\n", -1)) {
            String[] cells = line.strip().split("\\|", -1);
            if (cells.length == FIELDS.length && cells[1].matches("[0-9]{1,9}") && cells[2].matches("[0-9]{1,12}")) {
                found.put(cells[0], of(Integer.parseInt(cells[1]), Long.parseLong(cells[2]), cells[3]));
            }
        }
        return found;
    }

    /**
     * The classes into which nodes fall, smaller ones first: a node belongs to each class of which it has at least as much. The first has what all nodes
     * have; of many kinds of nodes the most frequent ones are classes.
     */
    static List<Resources> classes(Collection<Resources> nodes) {
        TreeSet<Long> sizes = new TreeSet<>();
        nodes.forEach(node -> sizes.add(node.memory()));
        Map<Long, Long> rounded = new HashMap<>();
        long group = 0;
        for (long size : sizes) {
            group = group == 0 || size - group > group / ALIKE ? size : group;
            rounded.put(size, group);
        }
        Map<Resources, Integer> counts = new LinkedHashMap<>();
        for (Resources node : nodes) {
            counts.merge(node.memory(rounded.getOrDefault(node.memory(), node.memory())), 1, Integer::sum);
        }
        List<Resources> classes = new ArrayList<>(counts.keySet());
        classes.sort(Comparator.comparingInt((Resources node) -> -counts.getOrDefault(node, 0)));
        List<Resources> most = new ArrayList<>(classes.subList(0, Math.min(MOST_CLASSES, classes.size())));
        classes.stream().reduce(Resources::least).ifPresent(most::add);
        return most.stream()
                .distinct()
                .sorted(Comparator.<Resources>comparingInt(Resources::cores)
                        .thenComparingLong(Resources::memory)
                        .thenComparingInt(Resources::gpus)
                        .thenComparing(node -> node.named().toString()))
                .toList();
    }
}
