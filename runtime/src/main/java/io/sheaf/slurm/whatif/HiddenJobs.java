package io.sheaf.slurm.whatif;

import io.sheaf.random.RandomStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Samples of what {@code PrivateData=jobs} hides, so that an interval is as wide as what is not known.
 *
 * <p>Each node that is in use without a visible job has a job that ends at any time up to the partition's limit. Samples
 * assume up to the same amount of queued work ahead of our job. If nodes of the partition are idle, each queued job needs more than those, since Slurm would have started it otherwise.
 */
final class HiddenJobs {
    /** The assumed limit of hidden jobs, whose limits are unknown; longer ones than a day are rare. */
    static final long LIMIT = 24 * 3_600_000L;

    private HiddenJobs() {}

    /** The longest time that a hidden job of a partition may need. */
    static long longest(long partitionLimit) {
        return Math.min(partitionLimit, LIMIT);
    }

    /** Jobs that are added to a snapshot; none if Slurm hides no jobs. */
    static List<SlurmJob> drawn(SlurmSnapshot snapshot, RandomStream random) {
        List<SlurmJob> jobs = new ArrayList<>();
        if (!snapshot.hidesJobs()) {
            return jobs;
        }
        Set<String> seen = new HashSet<>();
        snapshot.jobs().forEach(job -> seen.addAll(job.hosts()));
        Map<String, Integer> idle = new LinkedHashMap<>();
        Map<String, Integer> used = new LinkedHashMap<>();
        Map<String, SlurmNodes> partitions = new LinkedHashMap<>();
        for (SlurmNodes nodes : snapshot.nodes()) {
            if (nodes.use() == SlurmNodes.Use.FREE) {
                idle.merge(nodes.partition(), nodes.hosts().size(), Integer::sum);
            }
            for (String host : nodes.use() == SlurmNodes.Use.ALLOCATED ? nodes.hosts() : List.<String>of()) {
                if (seen.add(host)) {
                    long most = longest(nodes.limit());
                    long end = snapshot.at() + random.nextLong(most);
                    jobs.add(job(nodes, SlurmJob.State.RUNNING, 1, most, end, host));
                    partitions.put(nodes.partition(), nodes);
                    used.merge(nodes.partition(), 1, Integer::sum);
                }
            }
        }
        double queued = random.nextDouble();
        used.forEach((partition, count) -> {
            SlurmNodes nodes = Objects.requireNonNull(partitions.get(partition));
            int free = idle.getOrDefault(partition, 0);
            long time = Math.round(queued * longest(nodes.limit()));
            for (int width, left = count; left > 0; left -= width) {
                width = free + 1 + random.nextInt(count);
                jobs.add(job(nodes, SlurmJob.State.WAITING, width, time, Limit.UNKNOWN, ""));
            }
        });
        return jobs;
    }

    private static SlurmJob job(SlurmNodes nodes, SlurmJob.State state, int width, long limit, long end, String host) {
        return SlurmJob.assumed(
                SlurmJob.HIDDEN,
                state,
                "hidden",
                Integer.MAX_VALUE,
                List.of(nodes.partition()),
                width,
                Math.max(1, limit),
                Limit.UNKNOWN,
                end,
                host.isEmpty() ? List.of() : List.of(host));
    }
}
