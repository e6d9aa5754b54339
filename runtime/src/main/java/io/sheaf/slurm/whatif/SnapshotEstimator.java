package io.sheaf.slurm.whatif;

import io.sheaf.batch.BatchEngine;
import io.sheaf.manager.Request;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.batch.NewestAnswer;
import io.sheaf.runtime.batch.PilotJobScript;
import io.sheaf.runtime.batch.WhatIf;
import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Estimates with a batch engine that is loaded with the newest snapshot. It answers thousands of queries without a
 * Slurm command. {@link StartTimes#UNKNOWN} until there is a snapshot.
 */
final class SnapshotEstimator implements StartEstimator {
    static final String NAME = WhatIf.ENGINE;

    /** In place of the number of a sample: the best estimate. */
    static final int POINT = -1;

    /** Parts into which samples divide an unknown factor. */
    private static final int PARTS = 15;

    /** What a job requests besides its tasks' memory, in bytes. */
    private static final long AGENT = (long) PilotJobScript.AGENT_MIB << 20;

    private final NewestAnswer<SlurmSnapshot> snapshots;
    private final Submissions submissions;
    private final LongFunction<String> names;
    private final UnaryOperator<SlurmSnapshot> made;
    private final int draw;
    private final List<Fresh> fresh = new ArrayList<>();
    /** The models of the newest snapshot by the number of other users' queued jobs of at least our priority, which may depend on a job's size. */
    private final Map<Long, QueueModel> models = new HashMap<>();

    private final Map<Long, QueueModel> byPriority = new HashMap<>();
    /** Our priority by the nodes of a job. */
    private final Map<Integer, Long> priorities = new HashMap<>();

    private PriorityErrors errors = new PriorityErrors(List.of());
    private @Nullable SlurmSnapshot observed;

    /** One of our jobs, accepted since the newest snapshot. */
    private record Fresh(long at, String name, Request request) {}

    /**
     * Creates an estimator on a source of snapshots.
     *
     * @param names the job's name for a token
     * @param draw the number of the sample, or {@link #POINT}
     */
    SnapshotEstimator(
            NewestAnswer<SlurmSnapshot> snapshots,
            Submissions submissions,
            LongFunction<String> names,
            UnaryOperator<SlurmSnapshot> made,
            int draw) {
        this.snapshots = snapshots;
        this.submissions = submissions;
        this.names = names;
        this.made = made;
        this.draw = draw;
    }

    @Override
    public Basis basis() {
        return Basis.SIMULATED;
    }

    @Override
    public void estimate(StartQuery query, StartTimes answer) {
        QueueModel loaded = model(query);
        if (loaded == null) {
            answer.begin(query, basis());
            answer.fill(StartTimes.UNKNOWN);
        } else {
            loaded.estimate(query, names, answer);
        }
    }

    /** The longest walltime that jobs may request; {@link Long#MAX_VALUE} if no limit is known. */
    long longest(long now) {
        QueueModel loaded = model(now, 1, true);
        return loaded == null ? Long.MAX_VALUE : loaded.longest();
    }

    /** The model for the job of the lowest priority of a query. */
    private @Nullable QueueModel model(StartQuery query) {
        int fewest = 1;
        int most = 1;
        for (int i = 0; i < query.jobs(); i++) {
            fewest = i == 0 ? query.units(i) : Math.min(fewest, query.units(i));
            most = Math.max(most, query.units(i));
        }
        SlurmSnapshot newest = newest(query.now());
        boolean few = newest != null && fewest < most && priorityOf(newest, fewest) < priorityOf(newest, most);
        return model(query.now(), few ? fewest : most, query.isWithQueued());
    }

    private @Nullable SlurmSnapshot newest(long now) {
        SlurmSnapshot newest = snapshots.newest(now);
        if (newest == null || observed == null || observed.at() != newest.at()) {
            models.clear();
            byPriority.clear();
            priorities.clear();
            observed = newest;
        }
        return newest;
    }

    private long priorityOf(SlurmSnapshot newest, int nodes) {
        return priorities.computeIfAbsent(nodes, some -> priority(newest, submissions, some, errors, draw));
    }

    /** The model of the newest snapshot for a job of some nodes; null if there is none, or if our partition has no nodes at present. */
    private @Nullable QueueModel model(long now, int nodes, boolean withQueued) {
        SlurmSnapshot newest = newest(now);
        if (newest == null) {
            return null;
        }
        long ours = priorityOf(newest, nodes);
        long priority = withQueued ? Math.min(ours, lowestOwn(newest)) : ours;
        QueueModel known = byPriority.get(priority);
        if (known == null) {
            long ahead = newest.jobs().stream()
                    .filter(job -> job.isWaiting() && job.priority() >= priority)
                    .count();
            known = models.get(ahead);
            known = known == null ? load(newest, place(submissions, priority)) : known;
            if (known != null) {
                models.put(ahead, known);
                byPriority.put(priority, known);
            }
        }
        return known;
    }

    private @Nullable QueueModel load(SlurmSnapshot newest, QueueModel.SubmissionTarget place) {
        fresh.removeIf(job -> job.at < newest.at() - NewestAnswer.APART || isIn(newest, job.name));
        try {
            QueueModel loaded = new QueueModel(made.apply(newest), place);
            fresh.forEach(job -> add(job.name, job.request, loaded));
            return loaded;
        } catch (InputException e) {
            return null;
        }
    }

    /** Replaces the errors of predicted priorities. */
    void learn(PriorityErrors learnt) {
        errors = learnt;
        priorities.clear();
    }

    /** An engine with the newest snapshot without the jobs of this name prefix; null if there is none. */
    @Nullable
    BatchEngine without(long now, String name) {
        SlurmSnapshot newest = snapshots.newest(now);
        if (newest == null) {
            return null;
        }
        try {
            return new QueueModel(newest.without(job -> job.name().startsWith(name)), where(newest, submissions))
                    .engine();
        } catch (InputException e) {
            return null;
        }
    }

    /** The newest loaded snapshot. */
    @Nullable
    SlurmSnapshot observed() {
        return observed;
    }

    /** Adds one of our jobs that the newest snapshot may not contain. */
    void accepted(long now, String name, Request request) {
        SlurmSnapshot newest = observed;
        boolean known = newest != null && isIn(newest, name);
        if (known || fresh.stream().anyMatch(job -> job.name.equals(name))) {
            return;
        }
        fresh.add(new Fresh(now, name, request));
        models.values().forEach(each -> add(name, request, each));
    }

    private static void add(String name, Request request, QueueModel to) {
        to.add(name, request, requested(request.node().memory()));
    }

    /** The memory that a job requests on a node for the memory of its tasks, in bytes; 0 if unknown. */
    static long requested(long ofTasks) {
        return ofTasks == 0 ? 0 : ofTasks + AGENT;
    }

    /** Removes one of our jobs that was added and has ended, or was refused. */
    void removed(String name) {
        if (fresh.removeIf(job -> job.name.equals(name))) {
            // The next query loads the snapshot again.
            observed = null;
        }
    }

    private static boolean isIn(SlurmSnapshot snapshot, String name) {
        return snapshot.jobs().stream().anyMatch(job -> job.name().equals(name));
    }

    /** The assumed position of a new job of one node. */
    static QueueModel.SubmissionTarget where(SlurmSnapshot snapshot, Submissions submissions) {
        return where(snapshot, submissions, 1, new PriorityErrors(List.of()), POINT);
    }

    /**
     * The assumed position of a new job: last with priority/basic, by its predicted priority with priority/multifactor. If that is unknown, it is
     * behind our queued jobs, or behind all jobs; in samples, an unknown fair-share factor may be any.
     *
     * @param draw the number of a sample, or {@link #POINT}
     */
    static QueueModel.SubmissionTarget where(
            SlurmSnapshot snapshot, Submissions submissions, int nodes, PriorityErrors errors, int draw) {
        return place(submissions, priority(snapshot, submissions, nodes, errors, draw));
    }

    private static QueueModel.SubmissionTarget place(Submissions submissions, long priority) {
        Set<String> features = SlurmJob.conjunction(submissions.constraint());
        return new QueueModel.SubmissionTarget(
                submissions.partition(),
                features == null ? Set.of() : features,
                priority,
                submissions.reservation(),
                submissions.pools(),
                submissions.cores());
    }

    private static long priority(
            SlurmSnapshot snapshot, Submissions submissions, int nodes, PriorityErrors errors, int draw) {
        if (snapshot.config().getOrDefault("PriorityType", "priority/basic").equals("priority/basic")) {
            return QueueModel.SubmissionTarget.LAST;
        }
        SlurmPriority ours = snapshot.priority();
        if (ours.isKnown()) {
            return ours.of(snapshot, submissions, nodes) + (draw == POINT ? errors.median() : errors.sample(draw));
        }
        if (ours.isUsed() && draw != POINT) {
            return ours.of(snapshot, submissions, nodes, (draw % PARTS + 0.5) / PARTS);
        }
        return lowestOwn(snapshot);
    }

    private static long lowestOwn(SlurmSnapshot snapshot) {
        return snapshot.jobs().stream()
                .filter(job -> job.isWaiting() && snapshot.isOwn(job) && !job.isHeld())
                .mapToLong(SlurmJob::priority)
                .min()
                .orElse(QueueModel.SubmissionTarget.LAST);
    }
}
