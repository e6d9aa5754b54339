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
 * Converts the background jobs of Slurm's queue to {@linkplain QueueSnapshot queue snapshots} of a run, in nodes of the
 * run's partition.
 *
 * <p>A job that can also use other partitions' nodes, or that uses only part of its nodes, counts with that share. The
 * share is rounded by the job's id, so that it is the same in every snapshot and the sum is approximately right. Held
 * jobs are excluded.
 */
final class BackgroundJobs {
    private static final double SPREAD = 1 << 16;

    private static final Comparator<SlurmJob> BY_PRIORITY =
            Comparator.comparingLong(SlurmJob::priority).reversed().thenComparingLong(SlurmJob::id);

    private BackgroundJobs() {}

    /** Stores a new snapshot if it is time for one. */
    static void store(SlurmSnapshot snapshot, Submissions submissions, String ours, QueueSnapshots snapshots) {
        if (!snapshots.isDue(snapshot.at())) {
            return;
        }
        try {
            snapshots.write(of(snapshot, submissions, ours));
        } catch (InputException e) {
            // The partition has no nodes at present.
        }
    }

    /**
     * The background jobs of a snapshot.
     *
     * @param ours the prefix of our jobs' names
     */
    static QueueSnapshot of(SlurmSnapshot snapshot, Submissions submissions, String ours) {
        SlurmSnapshot others = snapshot.without(job -> job.name().startsWith(ours));
        QueueModel model = new QueueModel(others, SnapshotEstimator.where(snapshot, submissions));
        PartitionNodes nodes = model.nodes();
        List<QueueSnapshot.Job> seen = new ArrayList<>();
        Set<Long> known = new HashSet<>();
        for (SlurmJob job : others.jobs().stream().sorted(BY_PRIORITY).toList()) {
            boolean waits = job.isWaiting();
            if ((!waits && !job.isRunning()) || job.isHeld()) {
                continue;
            }
            double share = waits ? nodes.eligible(job).share() : nodes.share(job.hosts());
            long limit = job.limit() == Limit.UNKNOWN ? nodes.limit() : job.limit();
            for (int task = 0; task < job.tasks(); task++) {
                int units = units(job, task, job.nodes() * share * nodes.fill(job));
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

    /** Rounds a job's share of nodes, always the same way for a job. */
    private static int units(SlurmJob job, int task, double exact) {
        int whole = (int) exact;
        long mixed = ((job.id() * 31 + task) * 0x9E3779B97F4A7C15L) >>> 48;
        return mixed < (exact - whole) * SPREAD ? whole + 1 : whole;
    }
}
