package io.sheaf.slurm.whatif;

import io.sheaf.agent.link.DaemonThread;
import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Pools;
import io.sheaf.manager.Request;
import io.sheaf.predict.Basis;
import io.sheaf.predict.CalibratedEstimator;
import io.sheaf.predict.Calibration;
import io.sheaf.predict.Quantiles;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.NewestAnswer;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.runtime.batch.WhatIf;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.KnownQueue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The start-time estimates for our jobs on a Slurm cluster: the calibrated combination of {@link SlurmEstimators}.
 *
 * <p>Each job's predictions, and the start that Slurm planned for it, are recorded
 * with its actual start. The submitter reports a job's events by name: {@link #submitting}, {@link #accepted},
 * {@link #started}, {@link #removed}. An accepted submission is in the engine's queue, so the jobs of an ordered query are
 * estimated independently.
 *
 * <p>Slurm's commands run on separate threads; callers wait only for the first snapshot.
 */
public final class SlurmEstimator implements StartEstimator, AutoCloseable {
    private static final long REREAD = 60_000;
    private static final int DRAWS = 15;

    /** A job with at most this estimated wait is about to start, in milliseconds. */
    private static final long AT_ONCE = 5_000;

    private final ExecutorService beside = Executors.newCachedThreadPool(DaemonThread.named("slurm estimates"));
    private final EndedJobs ended;
    private final NewestAnswer<SlurmSnapshot> snapshots;
    private final SlurmEstimators estimators;
    private final StartQuery whole = new StartQuery();
    private final StartRecords book;
    private final LongFunction<String> names;
    private final Submissions submissions;
    private final BiConsumer<String, WhatIf.Priority> predicted;
    private final ObjLongConsumer<String> observedPriority;
    private final Map<String, StartRecords.StartRecord> own = new LinkedHashMap<>();
    /** The pools of our jobs, by name. */
    private final Map<String, Integer> pools = new HashMap<>();

    /** The queued jobs of the last observed snapshot, by name. */
    private final Map<String, SlurmJob> queuedByName = new HashMap<>();

    private long indexedAt = Long.MIN_VALUE;
    private long readBook = Long.MIN_VALUE;

    /**
     * Creates an estimator for jobs with equal submission options.
     *
     * @param user the owner of our jobs
     * @param folder the folder of recorded predictions and Slurm's last answers, one per user and cluster
     * @param names the job's name for a token
     * @param onSnapshot receives each snapshot, on a separate thread
     * @param predicted receives the predicted priorities of jobs, by name
     * @param observedPriority receives their priorities as Slurm computed them
     */
    SlurmEstimator(
            CommandRunner commands,
            String user,
            Submissions submissions,
            Path folder,
            LongFunction<String> names,
            Consumer<SlurmSnapshot> onSnapshot,
            BiConsumer<String, WhatIf.Priority> predicted,
            ObjLongConsumer<String> observedPriority) {
        this.names = names;
        this.submissions = submissions;
        this.predicted = predicted;
        this.observedPriority = observedPriority;
        SnapshotReader reader = new SnapshotReader(commands, user, submissions, folder);
        ended = new EndedJobs(commands, folder);
        snapshots = new NewestAnswer<>(
                now -> {
                    SlurmSnapshot snapshot = reader.read(now);
                    ended.learn(snapshot);
                    // Without delaying threads that wait for the snapshot.
                    background(() -> onSnapshot.accept(snapshot));
                    return snapshot;
                },
                beside);
        estimators = new SlurmEstimators(
                snapshots, ended, new TestOnly(commands, submissions, beside), DRAWS, names, this::queued);
        book = new StartRecords(folder);
    }

    @Override
    public synchronized void estimate(StartQuery query, StartTimes answer) {
        consult(query.now());
        whole.copy(query, query.now(), 0).needing(SnapshotEstimator.requested(query.memory()));
        estimators.combined.estimate(whole, answer);
    }

    /** Why there is no snapshot of the queue: the error of the last query; null if there is one, or no query has failed. */
    @Nullable
    String failure(long now) {
        return snapshots.failure(now);
    }

    private CalibratedEstimator.@Nullable Queued queued(long token) {
        StartRecords.StartRecord entry = own.get(names.apply(token));
        return entry == null
                ? null
                : new CalibratedEstimator.Queued(
                        entry.submitted(), pools.getOrDefault(entry.job(), Pools.ANY), entry.nodes(), entry.walltime());
    }

    /** Rereads what all processes of the user have learnt, and records Slurm's planned starts of our jobs. */
    private void consult(long now) {
        SlurmSnapshot snapshot = estimators.engine.observed();
        if (snapshot != null && !own.isEmpty()) {
            observe(snapshot);
        }
        if (readBook != Long.MIN_VALUE && now - readBook < REREAD) {
            return;
        }
        readBook = now;
        try {
            estimators.learn(
                    book.started(now),
                    own.values().stream()
                            .filter(each -> each.start() == Limit.UNKNOWN)
                            .toList());
        } catch (IOException e) {
            // Without a book the engine is used.
            estimators.combined.learn(new Calibration());
        }
    }

    /** Records the planned starts and priorities of our queued jobs in a snapshot. */
    private void observe(SlurmSnapshot snapshot) {
        if (indexedAt != snapshot.at()) {
            indexedAt = snapshot.at();
            queuedByName.clear();
            for (SlurmJob job : snapshot.jobs()) {
                if (job.isWaiting()) {
                    queuedByName.putIfAbsent(job.name(), job);
                }
            }
        }
        for (StartRecords.StartRecord entry : List.copyOf(own.values())) {
            SlurmJob job = queuedByName.get(entry.job());
            if (job != null) {
                observe(snapshot, job, entry);
            }
        }
    }

    /** Records the first planned start of a queued job, and the priority that Slurm has given to it. */
    private void observe(SlurmSnapshot snapshot, SlurmJob job, StartRecords.StartRecord queued) {
        StartRecords.StartRecord entry = queued;
        if (snapshot.priority().isKnown() && !entry.predicted().containsKey(PriorityErrors.OBSERVED)) {
            long priority = job.priority() - snapshot.priority().ageOf(snapshot.at() - entry.submitted());
            // With the shares of this snapshot: own use since the submission is no error.
            long expected = snapshot.priority().of(snapshot, submissions, entry.nodes());
            entry = entry.with(Map.of(PriorityErrors.PREDICTED, expected))
                    .with(Map.of(PriorityErrors.OBSERVED, priority));
            observedPriority.accept(entry.job(), priority);
            note(entry);
        }
        if (job.start() != Limit.UNKNOWN && !entry.predicted().containsKey(SlurmEstimators.PLANNED)) {
            note(entry.with(Map.of(SlurmEstimators.PLANNED, job.start())));
        }
    }

    private void background(Runnable work) {
        try {
            beside.execute(work);
        } catch (RejectedExecutionException e) {
            // Closed: the result is not needed.
            return;
        }
    }

    /** Takes a snapshot in the background if the last one is old. */
    void refresh(long now) {
        snapshots.refresh(now);
    }

    /**
     * The last known queue without the jobs of this name prefix, and the finished jobs; null if unknown. It does not
     * contain the owners of jobs.
     */
    synchronized @Nullable KnownQueue known(long now, String ours) {
        BatchEngine others = estimators.engine.without(now, ours);
        if (others == null) {
            return null;
        }
        JobLog past = ended.past();
        return new KnownQueue(others, now, Map.of(), past, past.size(), handle -> -1);
    }

    /**
     * The longest walltime that our jobs may request, in milliseconds; {@link Long#MAX_VALUE} if no limit is known.
     */
    synchronized long longest(long now) {
        return estimators.engine.longest(now);
    }

    @Override
    public synchronized Basis basis() {
        return estimators.combined.basis();
    }

    /** The name of the estimator in use. */
    public synchronized String used() {
        return estimators.combined.best();
    }

    /** Records the predictions for a job that is about to be submitted. */
    public synchronized void submitting(long now, String name, Request request) {
        pools.put(name, request.pool());
        own.put(name, StartRecords.StartRecord.queued(name, now, request, Map.of()));
        background(() -> predict(now, name, request));
    }

    private void predict(long now, String name, Request request) {
        StartQuery query = StartQuery.of(now, request.pool(), request.units(), request.walltime())
                .needing(SnapshotEstimator.requested(request.node().memory()));
        Map<String, Long> predictions = new LinkedHashMap<>();
        synchronized (this) {
            for (String estimator : List.of(SnapshotEstimator.NAME, SampledStarts.NAME, SlurmEstimators.MEAN_WAIT)) {
                long start = estimators.combined.estimate(estimator, query).job(0);
                if (start != StartTimes.UNKNOWN && start != StartTimes.NEVER) {
                    predictions.put(estimator, start);
                }
            }
            SlurmSnapshot newest = estimators.engine.observed();
            WhatIf.Priority priority = newest == null
                    ? null
                    : SlurmWhatIf.priority(
                            newest, submissions, request.units(), request.walltime(), estimators.errors());
            if (priority != null) {
                predicted.accept(name, priority);
            }
            Quantiles drawn = estimators.sampled.drawn(query);
            if (drawn != null) {
                predictions.putAll(DrawnWaits.noted(drawn, now));
            }
            if (own.containsKey(name)) {
                // Later estimates have it in the queue, although it may not be accepted yet.
                estimators.accepted(now, name, request);
                Long start = predictions.get(estimators.combined.best());
                if (start != null && start - now <= AT_ONCE) {
                    estimators.running(now, name, request);
                }
            }
        }
        try {
            long tested = estimators.testOnly.query(query).start();
            if (tested != StartTimes.UNKNOWN) {
                predictions.put(TestOnly.NAME, Math.max(now, tested));
            }
        } catch (UnreachableException e) {
            predictions.remove(TestOnly.NAME);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        synchronized (this) {
            // The job may be queued, running or finished by now.
            StartRecords.StartRecord entry = own.get(name);
            if (entry != null) {
                note(entry.with(predictions));
            }
        }
    }

    /** Reloads the predictions for a job that an earlier process may have submitted. */
    public synchronized void recall(String name) {
        try {
            StartRecords.StartRecord entry = book.entry(name);
            if (entry != null && entry.start() == Limit.UNKNOWN) {
                own.putIfAbsent(name, entry);
            }
        } catch (IOException e) {
            // Nothing is learnt from this job.
        }
    }

    /** Records that one of our jobs is queued. */
    public synchronized void accepted(long at, String name, Request request) {
        pools.put(name, request.pool());
        estimators.accepted(at, name, request);
        StartRecords.StartRecord known = own.get(name);
        note(StartRecords.StartRecord.queued(name, at, request, known == null ? Map.of() : known.predicted()));
    }

    /** Records that one of our jobs has started. */
    public synchronized void started(long at, String name) {
        StartRecords.StartRecord entry = own.get(name);
        if (entry != null && entry.start() == Limit.UNKNOWN) {
            note(entry.started(at));
            Request running = Request.of(entry.nodes(), entry.walltime());
            estimators.running(at, name, running.in(pools.getOrDefault(name, Pools.ANY)));
            readBook = Long.MIN_VALUE;
        }
    }

    /** Records that one of our jobs has ended or was cancelled. */
    public synchronized void removed(String name) {
        pools.remove(name);
        estimators.removed(name);
        StartRecords.StartRecord entry = own.remove(name);
        if (entry != null && entry.start() == Limit.UNKNOWN) {
            try {
                book.forget(entry);
            } catch (IOException e) {
                // The entry expires after two months.
            }
        }
    }

    private void note(StartRecords.StartRecord entry) {
        own.put(entry.job(), entry);
        try {
            book.write(entry);
        } catch (IOException e) {
            // Nothing is learnt from this job; it runs regardless.
        }
    }

    @Override
    public void close() {
        beside.shutdownNow();
        try {
            // No thread writes into the folder afterwards.
            beside.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
