package io.sheaf.slurm.whatif;

import io.sheaf.batch.BatchEngine;
import io.sheaf.predict.Basis;
import io.sheaf.predict.CalibratedEstimator;
import io.sheaf.predict.Calibration;
import io.sheaf.predict.LearnedEstimator;
import io.sheaf.predict.Quantiles;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.batch.AwayException;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.NewestAnswer;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.KnownQueue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The start-time estimates for jobs of ours on a Slurm cluster: a {@linkplain CalibratedEstimator calibrated} combination of four estimators.
 *
 * <p>At first the engine with the newest snapshot is trusted, then the same with drawn ends of jobs, then the mean of our waits, then {@code sbatch --test-only}. What each of them predicted for a job, and
 * what Slurm planned for it when it was queued, is recorded with its real start. The submitter reports what becomes of a job: {@link #asked}, {@link #accepted}, {@link #started},
 * {@link #gone}; a job is known by its name. A submission is in the engine's queue when it is accepted, so jobs of a query in order are estimated each alone.
 *
 * <p>Slurm's commands run on threads of their own; only the first snapshot is waited for.
 */
public final class SlurmEstimator implements StartEstimator, AutoCloseable {
    /** As the planned start of a queued job stands on record; of other jobs nothing is planned. */
    static final String PLANNED = "planned";

    /** As the mean of our waits stands on record. */
    static final String MEAN_WAIT = "mean-wait";

    private static final long REREAD = 60_000;

    private final ExecutorService beside = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "slurm estimates");
        thread.setDaemon(true);
        return thread;
    });
    private final EndedJobs ended;
    private final NewestAnswer<SlurmSnapshot> snapshots;
    private final SnapshotEstimator engine;
    private final SampledStarts sampled;
    private final LearnedEstimator meanWait = new LearnedEstimator();
    private final TestOnly testOnly;
    private final Map<String, StartEstimator> byTrust = new LinkedHashMap<>();
    private final CalibratedEstimator calibrated;
    private final StartBook book;
    private final LongFunction<String> names;
    private final Map<String, StartBook.Entry> own = new LinkedHashMap<>();
    private long readBook = Long.MIN_VALUE;

    /**
     * An estimator for jobs that are submitted alike.
     *
     * @param user whose jobs ours are
     * @param folder where it is kept how well estimators did, and what Slurm said last, one for each user and cluster
     * @param names the job's name for a token
     * @param seen is told of each snapshot, beside whoever asks
     */
    SlurmEstimator(
            CommandRunner commands,
            String user,
            Submissions alike,
            Path folder,
            LongFunction<String> names,
            Consumer<SlurmSnapshot> seen) {
        this.names = names;
        SnapshotReader reader = new SnapshotReader(commands, user, alike.quality(), folder);
        ended = new EndedJobs(commands, folder);
        snapshots = new NewestAnswer<>(
                now -> {
                    SlurmSnapshot taken = reader.read(now);
                    ended.learn(taken);
                    tell(seen, taken);
                    return taken;
                },
                beside);
        engine = new SnapshotEstimator(snapshots, alike, names, UnaryOperator.identity());
        sampled = new SampledStarts(snapshots, alike, names, ended);
        testOnly = new TestOnly(commands, alike.options(), beside);
        byTrust.put(SnapshotEstimator.NAME, engine);
        byTrust.put(SampledStarts.NAME, sampled);
        byTrust.put(MEAN_WAIT, meanWait);
        byTrust.put(TestOnly.NAME, testOnly);
        calibrated = new CalibratedEstimator(byTrust, this::queued);
        book = new StartBook(folder);
    }

    @Override
    public synchronized void estimate(StartQuery query, StartTimes answer) {
        consult(query.now());
        calibrated.estimate(query, answer);
    }

    private CalibratedEstimator.@Nullable Queued queued(long token) {
        StartBook.Entry entry = own.get(names.apply(token));
        return entry == null
                ? null
                : new CalibratedEstimator.Queued(entry.submitted(), entry.nodes(), entry.walltime());
    }

    /** Reads again what all processes of the user have learnt, and takes note of what Slurm plans for our jobs. */
    private void consult(long now) {
        SlurmSnapshot seen = engine.seen();
        if (seen != null && !own.isEmpty()) {
            seen.jobs().forEach(this::planned);
        }
        if (readBook != Long.MIN_VALUE && now - readBook < REREAD) {
            return;
        }
        readBook = now;
        try {
            List<StartBook.Entry> started = book.started(now);
            calibrated.learn(StartBook.calibration(started));
            meanWait.learn(StartBook.waits(started));
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

    /** The first planned start that Slurm tells of a waiting job counts. */
    private void planned(SlurmJob job) {
        StartBook.Entry entry = own.get(job.name());
        if (entry != null
                && job.state() == SlurmJob.State.WAITING
                && job.start() != Limit.UNKNOWN
                && !entry.predicted().containsKey(PLANNED)) {
            note(entry.with(PLANNED, job.start()));
        }
    }

    /** Nobody who waits for a snapshot waits for what others make of it. */
    private void tell(Consumer<SlurmSnapshot> seen, SlurmSnapshot taken) {
        try {
            beside.execute(() -> seen.accept(taken));
        } catch (RejectedExecutionException e) {
            // It was closed meanwhile.
            return;
        }
    }

    /** Has a snapshot taken beside, if the last one is not young. */
    void look(long now) {
        snapshots.want(now);
    }

    /** The queue as it was last seen, without the jobs whose names begin so, and the jobs that were seen to end; null if it is not known. Which jobs of the queue are whose is not told. */
    synchronized @Nullable KnownQueue known(long now, String ours) {
        BatchEngine others = engine.without(now, ours);
        if (others == null) {
            return null;
        }
        JobLog past = ended.past();
        return new KnownQueue(others, now, Map.of(), past, past.size(), handle -> -1);
    }

    /** The longest walltime that a job of ours may ask for, in milliseconds; {@link Long#MAX_VALUE} if nothing is known of one. */
    synchronized long longest(long now) {
        return engine.longest(now);
    }

    @Override
    public synchronized Basis basis() {
        return calibrated.basis();
    }

    /** Which estimator is used at present. */
    public synchronized String used() {
        return calibrated.best();
    }

    /** A job of ours is about to be submitted: each estimator says what it thinks. */
    public synchronized void asked(long now, String name, int nodes, long walltime) {
        own.put(name, new StartBook.Entry(name, now, nodes, walltime, Limit.UNKNOWN, Map.of()));
        try {
            beside.execute(() -> predict(now, name, nodes, walltime));
        } catch (RejectedExecutionException e) {
            // It was closed; nothing is learnt from this job.
            return;
        }
    }

    private void predict(long now, String name, int nodes, long walltime) {
        Map<String, Long> predictions = new LinkedHashMap<>();
        try {
            long tested = testOnly.ask(now, nodes, walltime).start();
            if (tested != StartTimes.UNKNOWN) {
                predictions.put(TestOnly.NAME, Math.max(now, tested));
            }
        } catch (AwayException e) {
            predictions.clear();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        synchronized (this) {
            StartQuery query = StartQuery.of(now, 0, nodes, walltime);
            byTrust.forEach((estimator, each) -> {
                long start = each == testOnly
                        ? StartTimes.UNKNOWN
                        : each.estimate(query).job(0);
                if (start != StartTimes.UNKNOWN && start != StartTimes.NEVER) {
                    predictions.put(estimator, start);
                }
            });
            Quantiles drawn = sampled.drawn(now, nodes, walltime);
            if (drawn != null) {
                predictions.putAll(DrawnWaits.noted(drawn, now));
            }
            // It may be in the queue, run, or be gone by now.
            StartBook.Entry entry = own.get(name);
            if (entry != null) {
                for (Map.Entry<String, Long> prediction : predictions.entrySet()) {
                    entry = entry.with(prediction.getKey(), prediction.getValue());
                }
                note(entry);
            }
        }
    }

    /** A job of ours may be in the queue since before this process: what was predicted for it is on record. */
    public synchronized void recall(String name) {
        try {
            StartBook.Entry entry = book.entry(name);
            if (entry != null && entry.start() == Limit.UNKNOWN) {
                own.putIfAbsent(name, entry);
            }
        } catch (IOException e) {
            // Nothing is learnt from this job.
            return;
        }
    }

    /** A job of ours is in the queue. */
    public synchronized void accepted(long at, String name, int nodes, long walltime) {
        engine.accepted(at, name, nodes, walltime);
        sampled.accepted(at, name, nodes, walltime);
        StartBook.Entry known = own.get(name);
        note(new StartBook.Entry(
                name, at, nodes, walltime, Limit.UNKNOWN, known == null ? Map.of() : known.predicted()));
    }

    /** A job of ours runs. */
    public synchronized void started(long at, String name) {
        StartBook.Entry entry = own.get(name);
        if (entry != null && entry.start() == Limit.UNKNOWN) {
            note(entry.started(at));
            readBook = Long.MIN_VALUE;
        }
    }

    /** A job of ours is over, or was cancelled. */
    public synchronized void gone(String name) {
        StartBook.Entry entry = own.remove(name);
        if (entry != null && entry.start() == Limit.UNKNOWN) {
            try {
                book.forget(entry);
            } catch (IOException e) {
                // It is forgotten in two months.
                return;
            }
        }
    }

    private void note(StartBook.Entry entry) {
        own.put(entry.job(), entry);
        try {
            book.write(entry);
        } catch (IOException e) {
            // Nothing is learnt from this job; it runs all the same.
            return;
        }
    }

    @Override
    public void close() {
        beside.shutdownNow();
    }
}
