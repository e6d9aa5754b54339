package io.sheaf.slurm.whatif;

import io.sheaf.predict.Estimator;
import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The batch engine, loaded with the newest snapshot; it answers thousands of questions without asking Slurm again. */
final class EngineOracle implements Oracle {
    static final String NAME = "engine";

    private final Snapshots snapshots;
    private final String partition;
    private final String constraint;
    private final UnaryOperator<Snapshot> made;
    private final List<Fresh> fresh = new ArrayList<>();
    private @Nullable QueueModel model;
    private @Nullable Snapshot seen;

    /** A job of ours that was accepted since the newest snapshot. */
    private record Fresh(long at, String name, int nodes, long walltime) {}

    /** With snapshots as they are. */
    EngineOracle(Snapshots snapshots, String partition, String constraint) {
        this(snapshots, partition, constraint, UnaryOperator.identity());
    }

    /** With what is made of snapshots. */
    EngineOracle(Snapshots snapshots, String partition, String constraint, UnaryOperator<Snapshot> made) {
        this.snapshots = snapshots;
        this.partition = partition;
        this.constraint = constraint;
        this.made = made;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Estimator.Basis basis() {
        return Estimator.Basis.SIMULATED;
    }

    @Override
    public void starts(long now, int[] nodes, long[] walltime, int count, long[] out) {
        QueueModel loaded = model(now);
        if (loaded == null) {
            Arrays.fill(out, 0, count, UNKNOWN);
        } else {
            loaded.starts(now, nodes, walltime, count, out);
        }
    }

    /** The newest snapshot, loaded; null if there is none, or if our partition has no nodes at present. */
    private @Nullable QueueModel model(long now) {
        Snapshot newest = snapshots.newest(now);
        if (newest == null) {
            model = null;
            seen = null;
        } else if (seen == null || seen.at() != newest.at()) {
            seen = newest;
            model = load(newest);
        }
        return model;
    }

    private @Nullable QueueModel load(Snapshot newest) {
        fresh.removeIf(job -> job.at < newest.at() - Snapshots.APART || isIn(newest, job.name));
        try {
            QueueModel loaded = new QueueModel(made.apply(newest), where(newest));
            fresh.forEach(job -> loaded.add(job.nodes, job.walltime));
            return loaded;
        } catch (InputException e) {
            return null;
        }
    }

    /** The newest snapshot that was loaded. */
    @Nullable
    Snapshot seen() {
        return seen;
    }

    /** A job of ours is in the queue, of which a snapshot may not know yet. */
    void accepted(long now, String name, int nodes, long walltime) {
        Snapshot newest = seen;
        if (newest != null && isIn(newest, name)) {
            return;
        }
        fresh.add(new Fresh(now, name, nodes, walltime));
        QueueModel known = model;
        if (known != null) {
            known.add(nodes, walltime);
        }
    }

    private static boolean isIn(Snapshot snapshot, String name) {
        return snapshot.jobs().stream().anyMatch(job -> job.name().equals(name));
    }

    /** With priority/basic a new job is the last; otherwise it is taken to stand behind those of ours that wait, or behind everybody. */
    private Where where(Snapshot snapshot) {
        return where(snapshot, partition, constraint);
    }

    static Where where(Snapshot snapshot, String partition, String constraint) {
        Set<String> features = SeenJob.conjunction(constraint);
        boolean basic =
                snapshot.config().getOrDefault("PriorityType", "priority/basic").equals("priority/basic");
        long priority = basic
                ? Where.LAST
                : snapshot.jobs().stream()
                        .filter(job -> job.state() == SeenJob.State.WAITING
                                && job.user().equals(snapshot.user())
                                && !job.isHeld())
                        .mapToLong(SeenJob::priority)
                        .min()
                        .orElse(Where.LAST);
        return new Where(partition, features == null ? Set.of() : features, priority);
    }
}
