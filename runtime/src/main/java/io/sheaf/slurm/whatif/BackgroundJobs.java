package io.sheaf.slurm.whatif;

import io.sheaf.batch.QueueSnapshot;
import io.sheaf.runtime.past.QueueSnapshots;
import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the background jobs of Slurm's queue into {@linkplain QueueSnapshot queue snapshots} that a run keeps; in nodes of the partition in question.
 *
 * <p>A job that may get nodes of which some are ours, or that takes less than its nodes, counts with that share of them: rounded up or down by its number, so that it
 * counts the same in every snapshot and the sum is about right. Held jobs do not count.
 */
final class BackgroundJobs {
    private static final double SPREAD = 1 << 16;

    private final QueueSnapshots sights;
    private final Submissions alike;
    private final String ours;

    /**
     * For a run.
     *
     * @param ours by which the names of its jobs begin
     */
    BackgroundJobs(QueueSnapshots sights, Submissions alike, String ours) {
        this.sights = sights;
        this.alike = alike;
        this.ours = ours;
    }

    /** A snapshot was taken. */
    void saw(SlurmSnapshot snapshot) {
        if (!sights.wants(snapshot.at())) {
            return;
        }
        try {
            sights.saw(of(snapshot, alike, ours));
        } catch (InputException e) {
            // The partition has no nodes at present; there is nothing to be seen.
            return;
        }
    }

    static QueueSnapshot of(SlurmSnapshot snapshot, Submissions alike, String ours) {
        SlurmSnapshot others = snapshot.without(ours);
        QueuePlace where = SnapshotEstimator.where(snapshot, alike);
        QueueModel model = new QueueModel(others, where);
        PartitionNodes nodes = model.nodes();
        List<QueueSnapshot.Job> seen = new ArrayList<>();
        Set<Long> known = new HashSet<>();
        for (SlurmJob job : inOrder(others.jobs())) {
            boolean waits = job.state() == SlurmJob.State.WAITING;
            if ((!waits && job.state() != SlurmJob.State.RUNNING) || job.isHeld()) {
                continue;
            }
            double share = waits ? nodes.eligible(job).share() : nodes.share(job.hosts());
            boolean whole = nodes.wholeNodes() || job.wholeNodes() || nodes.coresPerNode() < 1;
            double fill = whole ? 1 : Math.min(1, (double) job.cores() / ((double) job.nodes() * nodes.coresPerNode()));
            long limit = job.limit() == Limit.UNKNOWN ? nodes.limit() : job.limit();
            for (int task = 0; task < job.tasks(); task++) {
                int units = units(job, task, job.nodes() * share * fill);
                if (units > 0) {
                    String id = job.id() + (known.add(job.id()) ? "" : "." + task);
                    seen.add(QueueSnapshot.Job.of(
                            id,
                            units,
                            Math.max(1, Math.min(limit, Limit.UNLIMITED / 4)),
                            waits ? QueueSnapshot.QUEUED : Math.min(snapshot.at(), job.start())));
                }
            }
        }
        return QueueSnapshot.of(snapshot.at(), nodes.size(), model.replannedDepth(), seen);
    }

    /** As Slurm considers them: by priority, then by number. */
    private static List<SlurmJob> inOrder(List<SlurmJob> jobs) {
        List<SlurmJob> sorted = new ArrayList<>(jobs);
        sorted.sort(Comparator.comparingLong(SlurmJob::priority).reversed().thenComparingLong(SlurmJob::id));
        return sorted;
    }

    /** A share of nodes as a number of them, for a job always the same. */
    private static int units(SlurmJob job, int task, double exact) {
        int whole = (int) exact;
        long mixed = ((job.id() * 31 + task) * 0x9E3779B97F4A7C15L) >>> 48;
        return mixed < (exact - whole) * SPREAD ? whole + 1 : whole;
    }
}
