package io.sheaf.slurm.whatif;

import io.sheaf.random.RandomStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Samples of what {@code PrivateData=jobs} hides. Each node that is in use without a visible job has a job that ends at any time up to the
 * partition's limit, and behind it, ahead of ours, queued work of up to the same time. So an interval is as wide as what is not known.
 */
final class HiddenJobs {
    /** The assumed limit of hidden jobs, whose limits are unknown; longer ones than a day are rare. */
    static final long LIMIT = 24 * 3_600_000L;

    private static final String NAME = "hidden";

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
        double queued = random.nextDouble();
        for (SlurmNodes nodes : snapshot.nodes()) {
            for (String host : nodes.use() == SlurmNodes.Use.TAKEN ? nodes.hosts() : List.<String>of()) {
                if (seen.add(host)) {
                    long most = longest(nodes.limit());
                    jobs.add(job(nodes, SlurmJob.State.RUNNING, most, snapshot.at() + random.nextLong(most), host));
                    jobs.add(job(nodes, SlurmJob.State.WAITING, Math.round(queued * most), Limit.UNKNOWN, ""));
                }
            }
        }
        return jobs;
    }

    private static SlurmJob job(SlurmNodes nodes, SlurmJob.State state, long limit, long end, String host) {
        return new SlurmJob(
                -1,
                -1,
                1,
                Integer.MAX_VALUE,
                state,
                Integer.MAX_VALUE,
                List.of(nodes.partition()),
                1,
                nodes.cores(),
                true,
                Math.max(1, limit),
                Limit.UNKNOWN,
                end,
                "",
                "",
                "",
                List.of(),
                "",
                NAME,
                host.isEmpty() ? List.of() : List.of(host),
                "",
                NAME);
    }
}
