package io.sheaf.slurm.whatif;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Which QOS preempt which, with {@code preempt/qos}. Other than with {@code preempt/partition_prio}, the priority tiers of partitions do not matter.
 *
 * @param preempted by QOS, those whose jobs its jobs preempt
 * @param graces the time that a preempted job of a QOS has to end, in milliseconds
 */
record QualityPreemption(Map<String, Set<String>> preempted, Map<String, Long> graces) {
    static final QualityPreemption NONE = new QualityPreemption(Map.of(), Map.of());

    /** The fields of {@code sacctmgr -nP show qos}. */
    static final String FIELDS = "Name,Preempt,PreemptMode,GraceTime";

    static boolean isUsed(Map<String, String> config) {
        return config.getOrDefault("PreemptType", "").equals("preempt/qos");
    }

    /** Reads the table of all QOS. The mode of a QOS is that of the cluster unless it has one. */
    static QualityPreemption read(String table, Map<String, String> config) {
        Map<String, Set<String>> preempted = new HashMap<>();
        Map<String, Long> graces = new HashMap<>();
        for (String[] cell : Columns.barred(isUsed(config) ? table : "", 4)) {
            String mode = cell[2].isEmpty() || cell[2].equalsIgnoreCase("cluster")
                    ? config.getOrDefault("PreemptMode", "OFF")
                    : cell[2];
            if (!mode.toUpperCase(Locale.ROOT).contains("OFF")) {
                long grace = Limit.millis(cell[3]);
                graces.put(cell[0], grace == Limit.UNKNOWN ? 0 : grace);
            }
            preempted.put(cell[0], Set.copyOf(List.of(cell[1].split(","))));
        }
        return new QualityPreemption(preempted, graces);
    }

    /** The QOS whose jobs are preempted by jobs of each of some others, with the time that they have to end, in milliseconds. */
    Map<String, Long> by(List<String> qualities) {
        Map<String, Long> found = new HashMap<>(graces);
        qualities.forEach(each -> found.keySet().retainAll(preempted.getOrDefault(each, Set.of())));
        return found;
    }

    /** Whether jobs of a QOS may be preempted. */
    boolean isPreemptible(String quality) {
        return graces.containsKey(quality) && preempted.values().stream().anyMatch(lower -> lower.contains(quality));
    }
}
