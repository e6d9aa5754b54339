package io.sheaf.slurm.whatif;

import io.sheaf.agent.link.DaemonThread;
import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Pools;
import io.sheaf.manager.Request;
import io.sheaf.predict.Basis;
import io.sheaf.predict.CalibratedEstimator;
import io.sheaf.predict.Calibration;
import io.sheaf.predict.LearnedEstimator;
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
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The start-time estimates for our jobs on a Slurm cluster: a {@linkplain CalibratedEstimator calibrated} combination
 * of four estimators.
 *
 * <p>The initial order of trust is: the engine with the newest snapshot, the same with sampled job ends, the mean of
 * our waits, {@code sbatch --test-only}. Each job's predictions, and the start that Slurm planned for it, are recorded
 * with its actual start. The submitter reports a job's events by name: {@link #submitting}, {@link #accepted},
 * {@link #started}, {@link #removed}. An accepted submission is in the engine's queue, so the jobs of an ordered query are
 * estimated independently.
 *
 * <p>Slurm's commands run on separate threads; callers wait only for the first snapshot.
 */
public final class SlurmEstimator implements StartEstimator, AutoCloseable {
    /** The record name of Slurm's planned start; only queued jobs have one. */
    static final String PLANNED = WhatIf.PLANNED;

    /** The record name of our mean wait. */
    static final String MEAN_WAIT = "mean-wait";

    private static final long REREAD = 60_000;

    /** A job with at most this estimated wait is about to start, in milliseconds. */
    private static final long AT_ONCE = 5_000;

    private final ExecutorService beside = Executors.newCachedThreadPool(DaemonThread.named("slurm estimates"));
    private final EndedJobs ended;
    private final NewestAnswer<SlurmSnapshot> snapshots;
    private final SnapshotEstimator engine;
    /** Engine whose queue has only this user's running and starting jobs; gives a lower bound for estimates from past waits. */
    private final SnapshotEstimator ours;

    private final SampledStarts sampled;
    private final LearnedEstimator meanWait = new LearnedEstimator();
    private final TestOnly testOnly;
    private final Map<String, StartEstimator> byTrust = new LinkedHashMap<>();
    private final CalibratedEstimator calibrated;
    private final StartRecords book;
    private final LongFunction<String> names;
    private final Submissions submissions;
    private final BiConsumer<String, WhatIf.Priority> predicted;
    private final ObjLongConsumer<String> observedPriority;
    private PriorityErrors errors = new PriorityErrors(List.of());
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
        engine =
                new SnapshotEstimator(snapshots, submissions, names, UnaryOperator.identity(), SnapshotEstimator.POINT);
        ours = new SnapshotEstimator(
                snapshots,
                submissions,
                names,
                snapshot -> snapshot.without(job -> !own.containsKey(job.name()) || !job.isRunning()),
                SnapshotEstimator.POINT);
        sampled = new SampledStarts(snapshots, submissions, names, ended);
        testOnly = new TestOnly(commands, submissions, beside);
        byTrust.put(SnapshotEstimator.NAME, engine);
        byTrust.put(SampledStarts.NAME, sampled);
        byTrust.put(MEAN_WAIT, meanWait);
        byTrust.put(TestOnly.NAME, testOnly);
        calibrated = new CalibratedEstimator(byTrust, this::queued, ours);
        book = new StartRecords(folder);
    }

    @Override
    public synchronized void estimate(StartQuery query, StartTimes answer) {
        consult(query.now());
        calibrated.estimate(query, answer);
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
        SlurmSnapshot snapshot = engine.observed();
        if (snapshot != null && !own.isEmpty()) {
            observe(snapshot);
        }
        if (readBook != Long.MIN_VALUE && now - readBook < REREAD) {
            return;
        }
        readBook = now;
        try {
            List<StartRecords.StartRecord> started = book.started(now);
            calibrated.learn(StartRecords.calibration(started));
            meanWait.learn(StartRecords.waits(started));
            errors = new PriorityErrors(started);
            engine.learn(errors);
            sampled.learn(errors);
            sampled.learn(new DrawnWaits(
                    started,
                    own.values().stream()
                            .filter(each -> each.start() == Limit.UNKNOWN)
                            .toList()));
        } catch (IOException e) {
            // Without a book the engine is used.
            calibrated.learn(new Calibration());
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
        if (job.start() != Limit.UNKNOWN && !entry.predicted().containsKey(PLANNED)) {
            note(entry.with(Map.of(PLANNED, job.start())));
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
        BatchEngine others = engine.without(now, ours);
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
        return engine.longest(now);
    }

    @Override
    public synchronized Basis basis() {
        return calibrated.basis();
    }

    /** The name of the estimator in use. */
    public synchronized String used() {
        return calibrated.best();
    }

    /** Records the predictions for a job that is about to be submitted. */
    public synchronized void submitting(long now, String name, Request request) {
        pools.put(name, request.pool());
        own.put(name, StartRecords.StartRecord.queued(name, now, request, Map.of()));
        background(() -> predict(now, name, request));
    }

    private void predict(long now, String name, Request request) {
        int nodes = request.units();
        long walltime = request.walltime();
        long memory = request.node().memory();
        Map<String, Long> predictions = new LinkedHashMap<>();
        synchronized (this) {
            StartQuery query =
                    StartQuery.of(now, request.pool(), nodes, walltime).needing(memory);
            byTrust.forEach((estimator, each) -> {
                long start = each == testOnly
                        ? StartTimes.UNKNOWN
                        : each.estimate(query).job(0);
                if (start != StartTimes.UNKNOWN && start != StartTimes.NEVER) {
                    predictions.put(estimator, start);
                }
            });
            SlurmSnapshot newest = engine.observed();
            WhatIf.Priority whole =
                    newest == null ? null : SlurmWhatIf.priority(newest, submissions, nodes, walltime, errors);
            if (whole != null) {
                predicted.accept(name, whole);
            }
            Quantiles drawn = sampled.drawn(query);
            if (drawn != null) {
                predictions.putAll(DrawnWaits.noted(drawn, now));
            }
            if (own.containsKey(name)) {
                // Later estimates have it in the queue, although it may not be accepted yet.
                engine.accepted(now, name, request);
                sampled.accepted(now, name, request);
                Long start = predictions.get(calibrated.best());
                if (start != null && start - now <= AT_ONCE) {
                    ours.accepted(now, name, request);
                }
            }
        }
        try {
            long tested =
                    testOnly.query(now, request.pool(), nodes, walltime, memory).start();
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
        engine.accepted(at, name, request);
        sampled.accepted(at, name, request);
        StartRecords.StartRecord known = own.get(name);
        note(StartRecords.StartRecord.queued(name, at, request, known == null ? Map.of() : known.predicted()));
    }

    /** Records that one of our jobs has started. */
    public synchronized void started(long at, String name) {
        StartRecords.StartRecord entry = own.get(name);
        if (entry != null && entry.start() == Limit.UNKNOWN) {
            note(entry.started(at));
            Request running = Request.of(entry.nodes(), entry.walltime());
            ours.accepted(at, name, running.in(pools.getOrDefault(name, Pools.ANY)));
            readBook = Long.MIN_VALUE;
        }
    }

    /** Records that one of our jobs has ended or was cancelled. */
    public synchronized void removed(String name) {
        pools.remove(name);
        engine.removed(name);
        ours.removed(name);
        sampled.removed(name);
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
