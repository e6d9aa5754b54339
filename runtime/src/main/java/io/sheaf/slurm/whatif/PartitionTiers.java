package io.sheaf.slurm.whatif;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The priority tiers of partitions. Slurm schedules jobs of a higher tier first. With {@code preempt/partition_prio} they also take the nodes of running jobs in lower
 * tiers whose partition allows it. With {@code preempt/qos} the QOS decides instead.
 *
 * @param tiers by partition; 1 if not listed
 * @param graces the time that a preempted job of a partition has to end, in milliseconds; only partitions whose jobs can be preempted
 * @param qualities the QOS whose jobs ours preempt, with the time that these have to end, in milliseconds
 */
record PartitionTiers(Map<String, Integer> tiers, Map<String, Long> graces, Map<String, Long> qualities) {
    /** All partitions have the same tier. */
    static final PartitionTiers NONE = new PartitionTiers(Map.of(), Map.of(), Map.of());

    /** The time that a killed job needs to leave its nodes, in milliseconds. */
    private static final long KILL = 1_000;

    /**
     * Reads the tiers of some partitions.
     *
     * @param qualities the QOS whose jobs ours preempt
     */
    static PartitionTiers read(
            List<SlurmPartition> partitions, Map<String, String> config, Map<String, Long> qualities) {
        Map<String, Integer> tiers = new HashMap<>();
        Map<String, Long> graces = new HashMap<>();
        boolean preempts = config.getOrDefault("PreemptType", "").equals("preempt/partition_prio");
        for (SlurmPartition partition : partitions) {
            tiers.put(partition.name(), partition.tier());
            if (preempts && partition.allowsPreemption()) {
                graces.put(partition.name(), partition.graceMillis());
            }
        }
        return new PartitionTiers(Map.copyOf(tiers), Map.copyOf(graces), Map.copyOf(qualities));
    }

    /** The highest tier of some partitions. */
    int of(List<String> partitions) {
        return partitions.stream()
                .mapToInt(partition -> tiers.getOrDefault(partition, 1))
                .max()
                .orElse(1);
    }

    /** The lowest tier of our jobs. */
    int of(QueueModel.SubmissionTarget where) {
        return where.pools().all().stream()
                .mapToInt(pool -> of(List.of(SlurmPools.partition(pool))))
                .min()
                .orElseGet(() -> of(List.of(where.partition().split(","))));
    }

    /** The time until a running job leaves its nodes to jobs of a tier, in milliseconds; {@link Long#MAX_VALUE} if they cannot preempt it. */
    long untilPreempted(SlurmJob job, int tier) {
        Long grace = qualities.get(job.quality());
        if (grace != null) {
            return Math.max(KILL, grace);
        }
        return of(job.partitions()) < tier && graces.keySet().containsAll(job.partitions())
                ? job.partitions().stream()
                        .mapToLong(partition -> Math.max(KILL, graces.getOrDefault(partition, 0L)))
                        .max()
                        .orElse(Long.MAX_VALUE)
                : Long.MAX_VALUE;
    }
}
