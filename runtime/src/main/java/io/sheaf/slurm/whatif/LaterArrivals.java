package io.sheaf.slurm.whatif;

import io.sheaf.random.RandomStream;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.PastArrivals;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Samples of the jobs that other users submit while one of our jobs waits. With {@code priority/multifactor}, those of a larger fair-share factor or size overtake
 * it.
 *
 * <h2>Arrivals</h2>
 * The submissions in {@code sacct} {@linkplain PastArrivals repeat}, for a day: whole days if at least one is known, otherwise quarters of the known
 * time. A job that uses a part of its nodes' cores arrives in that part of the samples, with whole nodes.
 * {@link EndedJobs#drawn} leaves out arrivals for which the cluster has no time.
 *
 * <h2>Priority</h2>
 * That of a new job of the same user, account, partition and size, with the present fair-share factors, minus the age that all queued jobs gain until it
 * arrives. So all priorities of a sample are comparable at the instant of the snapshot. An unknown fair-share factor may be any.
 */
final class LaterArrivals {
    static final LaterArrivals NONE = new LaterArrivals(List.of(), 0);

    private static final long DAY = 24 * 3_600_000L;
    private static final int PARTS = 4;

    /** The greatest number of arrivals in a sample. */
    private static final int MOST = 2_000;

    private final List<Submitted> past;
    private final JobLog log;
    private final long known;

    /**
     * A job that was submitted.
     *
     * @param at the instant of its submission
     */
    record Submitted(String user, String account, String partition, int nodes, int cores, long limit, long at) {}

    /**
     * Creates samples from submissions.
     *
     * @param known the instant up to which they are known
     */
    LaterArrivals(List<Submitted> submitted, long known) {
        this.known = known;
        past = submitted.stream()
                .filter(job -> job.at > known - 7 * DAY && job.at <= known)
                .sorted(Comparator.comparingLong(Submitted::at))
                .toList();
        JobLog.Builder jobs = JobLog.builder();
        past.forEach(job -> jobs.add(0, job.at, 1, job.limit, job.nodes, 0));
        log = jobs.build();
    }

    /** The time for which submissions are known. */
    long span() {
        return past.isEmpty() ? 0 : known - past.get(0).at;
    }

    /** A sample of the arrivals after a snapshot, queued from their submission on; none if priorities do not change the order of submission. */
    List<SlurmJob> drawn(SlurmSnapshot snapshot, RandomStream random) {
        List<SlurmJob> jobs = new ArrayList<>();
        SlurmPriority priority = snapshot.priority();
        if (!priority.isKnownForOtherUsers() || span() < PARTS) {
            return jobs;
        }
        long day = span() >= DAY ? DAY : span() / PARTS;
        double coresPerNode = priority.cores() / (double) priority.nodes();
        RandomStream each = random.split("jobs");
        new PastArrivals(log, past.size(), known, day).draw(DAY, random.split("arrivals"), (number, at) -> {
            Submitted job = past.get(number);
            boolean isIn = each.nextDouble() < job.cores / (coresPerNode * job.nodes);
            if (isIn && jobs.size() < MOST && !job.user.equals(snapshot.user())) {
                jobs.add(arrival(job, snapshot.at() + at - known, snapshot, each));
            }
        });
        return jobs;
    }

    private static SlurmJob arrival(Submitted job, long at, SlurmSnapshot snapshot, RandomStream random) {
        SlurmPriority priority = snapshot.priority();
        double share = priority.shares().factor(job.user, job.account);
        long initial =
                priority.ofOtherUser(job.partition, job.nodes, Double.isNaN(share) ? random.nextDouble() : share);
        return SlurmJob.assumed(
                SlurmJob.ARRIVAL,
                SlurmJob.State.WAITING,
                job.user,
                initial - priority.ageOf(at - snapshot.at()),
                List.of(job.partition.split(",")),
                job.nodes,
                job.limit,
                at,
                Limit.UNKNOWN,
                List.of());
    }
}
