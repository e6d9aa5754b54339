package io.sheaf.slurm.whatif;

import io.sheaf.batch.BatchEngine;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.batch.NewestAnswer;
import io.sheaf.runtime.batch.PilotJobScript;
import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Estimates with a batch engine that is loaded with the newest snapshot. It answers thousands of queries without a
 * Slurm command. {@link StartTimes#UNKNOWN} until there is a snapshot.
 */
final class SnapshotEstimator implements StartEstimator {
    static final String NAME = "engine";

    /** What a job requests besides its tasks' memory, in bytes. */
    private static final long AGENT = (long) PilotJobScript.AGENT_MIB << 20;

    private final NewestAnswer<SlurmSnapshot> snapshots;
    private final Submissions alike;
    private final LongFunction<String> names;
    private final UnaryOperator<SlurmSnapshot> made;
    private final List<Fresh> fresh = new ArrayList<>();
    private @Nullable QueueModel model;
    private @Nullable SlurmSnapshot seen;

    /** One of our jobs, accepted since the newest snapshot. */
    private record Fresh(long at, String name, int pool, int nodes, long walltime, long memory) {}

    /**
     * Creates an estimator on a source of snapshots.
     *
     * @param names the job's name for a token
     */
    SnapshotEstimator(
            NewestAnswer<SlurmSnapshot> snapshots,
            Submissions alike,
            LongFunction<String> names,
            UnaryOperator<SlurmSnapshot> made) {
        this.snapshots = snapshots;
        this.alike = alike;
        this.names = names;
        this.made = made;
    }

    @Override
    public Basis basis() {
        return Basis.SIMULATED;
    }

    @Override
    public void estimate(StartQuery query, StartTimes answer) {
        QueueModel loaded = model(query.now());
        if (loaded == null) {
            answer.begin(query, basis());
            answer.fill(StartTimes.UNKNOWN);
        } else {
            long memory = query.memory();
            loaded.estimate(memory == 0 ? query : query.needing(memory + AGENT), names, answer);
            query.needing(memory);
        }
    }

    /** The longest walltime that jobs may request; {@link Long#MAX_VALUE} if no limit is known. */
    long longest(long now) {
        QueueModel loaded = model(now);
        return loaded == null ? Long.MAX_VALUE : loaded.longest();
    }

    /** The model of the newest snapshot; null if there is none, or if our partition has no nodes at present. */
    private @Nullable QueueModel model(long now) {
        SlurmSnapshot newest = snapshots.newest(now);
        if (newest == null) {
            model = null;
            seen = null;
        } else if (seen == null || seen.at() != newest.at()) {
            seen = newest;
            model = load(newest);
        }
        return model;
    }

    private @Nullable QueueModel load(SlurmSnapshot newest) {
        fresh.removeIf(job -> job.at < newest.at() - NewestAnswer.APART || isIn(newest, job.name));
        try {
            QueueModel loaded = new QueueModel(made.apply(newest), where(newest, alike));
            fresh.forEach(job -> loaded.add(job.name, job.pool, job.nodes, job.walltime, job.memory));
            return loaded;
        } catch (InputException e) {
            return null;
        }
    }

    /** An engine with the newest snapshot without the jobs of this name prefix; null if there is none. */
    @Nullable
    BatchEngine without(long now, String name) {
        SlurmSnapshot newest = snapshots.newest(now);
        if (newest == null) {
            return null;
        }
        try {
            return new QueueModel(newest.without(name), where(newest, alike)).engine();
        } catch (InputException e) {
            return null;
        }
    }

    /** The newest loaded snapshot. */
    @Nullable
    SlurmSnapshot seen() {
        return seen;
    }

    /** Adds one of our jobs that the newest snapshot may not contain. */
    void accepted(long now, String name, int pool, int nodes, long walltime, long memory) {
        SlurmSnapshot newest = seen;
        boolean known = newest != null && isIn(newest, name);
        if (known || fresh.stream().anyMatch(job -> job.name.equals(name))) {
            return;
        }
        fresh.add(new Fresh(now, name, pool, nodes, walltime, memory == 0 ? 0 : memory + AGENT));
        QueueModel loaded = model;
        if (loaded != null) {
            loaded.add(name, pool, nodes, walltime, memory == 0 ? 0 : memory + AGENT);
        }
    }

    /** Removes one of our jobs that was added and has ended, or was refused. */
    void gone(String name) {
        if (fresh.removeIf(job -> job.name.equals(name))) {
            // The next query loads the snapshot again.
            seen = null;
        }
    }

    private static boolean isIn(SlurmSnapshot snapshot, String name) {
        return snapshot.jobs().stream().anyMatch(job -> job.name().equals(name));
    }

    /**
     * The assumed position of a new job. It is the last with priority/basic; otherwise it is behind our queued jobs, or
     * behind all jobs.
     */
    static QueueModel.Place where(SlurmSnapshot snapshot, Submissions alike) {
        Set<String> features = SlurmJob.conjunction(alike.constraint());
        boolean basic =
                snapshot.config().getOrDefault("PriorityType", "priority/basic").equals("priority/basic");
        long priority = basic
                ? QueueModel.Place.LAST
                : snapshot.jobs().stream()
                        .filter(job -> job.state() == SlurmJob.State.WAITING
                                && job.user().equals(snapshot.user())
                                && !job.isHeld())
                        .mapToLong(SlurmJob::priority)
                        .min()
                        .orElse(QueueModel.Place.LAST);
        return new QueueModel.Place(
                alike.partition(),
                features == null ? Set.of() : features,
                priority,
                alike.reservation(),
                alike.pools());
    }
}
