package io.sheaf.slurm.whatif;

import io.sheaf.batch.BatchEngine;
import io.sheaf.predict.Basis;
import io.sheaf.predict.Calibration;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.batch.AwayException;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.KnownQueue;
import io.sheaf.sim.Quantiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * When would a job of ours start on this Slurm cluster? By whichever estimator was least wrong about our last jobs.
 *
 * <p>The engine with the newest snapshot is trusted at first, then the same where jobs end as they tend to, then the mean of our waits, then {@code sbatch --test-only}. What each said of a job when it was asked
 * for, and what Slurm planned for it when it was queued, is kept with its real start. What one does not know is asked of the next. Whoever
 * submits tells of it: {@link #asked}, {@link #accepted}, {@link #started}, {@link #gone}; a job is known by its name.
 *
 * <p>Slurm's commands run on threads of their own; only the first snapshot is waited for.
 */
public final class SlurmEstimator implements StartEstimator, AutoCloseable {
    /** As the planned start of a queued job stands on record; of other jobs nothing is planned. */
    static final String PLANNED = "planned";

    private static final long REREAD = 60_000;

    private final ExecutorService beside = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "slurm estimates");
        thread.setDaemon(true);
        return thread;
    });
    private final EndedJobs ended;
    private final Snapshots snapshots;
    private final EngineOracle engine;
    private final CorrectedOracle corrected;
    private final MeanWait meanWait = new MeanWait();
    private final TestOnly testOnly;
    private final List<Oracle> oracles;
    private final StartBook book;
    private final LongFunction<String> names;
    private final Map<String, StartBook.Entry> own = new LinkedHashMap<>();
    private Calibration calibration = new Calibration();
    private long readBook = Long.MIN_VALUE;
    private Basis basis = Basis.NONE;

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
            Consumer<Snapshot> seen) {
        this.names = names;
        SnapshotReader reader = new SnapshotReader(commands, user, alike.quality(), folder);
        ended = new EndedJobs(commands, folder);
        snapshots = new Snapshots(
                now -> {
                    Snapshot taken = reader.read(now);
                    ended.learn(taken);
                    tell(seen, taken);
                    return taken;
                },
                beside);
        engine = new EngineOracle(snapshots, alike);
        corrected = new CorrectedOracle(snapshots, alike, ended);
        testOnly = new TestOnly(commands, alike.options(), beside);
        oracles = List.of(engine, corrected, meanWait, testOnly);
        book = new StartBook(folder);
    }

    /**
     * Queued jobs are estimated by the engine, where that is trusted most. What the others estimate does not depend on what else is queued: a job that waits already has
     * the rest of such a wait before it. No job is taken to be before another: a submission is seen in a later snapshot.
     */
    @Override
    public synchronized void estimate(StartQuery query, StartTimes answer) {
        consult(query.now());
        long[] out = answer.begin(query, Basis.NONE);
        if (query.isWithQueued()) {
            withQueued(query, out);
        } else {
            alone(query.now(), query.units(), query.walltimes(), query.jobs(), out);
        }
        answer.basis(basis);
    }

    /** Estimates for jobs, each by itself; sets what they are based on. */
    private void alone(long now, int[] units, long[] walltime, int count, long[] out) {
        Arrays.fill(out, 0, count, Oracle.UNKNOWN);
        basis = Basis.NONE;
        for (Oracle oracle : byTrust()) {
            if (fill(oracle, now, units, walltime, count, out) && basis == Basis.NONE) {
                basis = oracle.basis();
            }
        }
        for (int i = 0; i < count; i++) {
            // Nothing is known: as if the cluster were empty.
            out[i] = out[i] == Oracle.UNKNOWN ? now : out[i];
        }
    }

    private void withQueued(StartQuery query, long[] out) {
        long now = query.now();
        int count = query.queued();
        String[] jobs = new String[count];
        Arrays.setAll(jobs, i -> names.apply(query.token(i)));
        String cancelled = query.cancelled() == StartQuery.NONE ? null : names.apply(query.cancelled());
        boolean isKnown = byTrust().get(0) == engine
                && engine.together(now, cancelled, jobs, query.units(), query.walltimes(), query.jobs(), out);
        if (isKnown) {
            return;
        }
        for (int i = 0; i < count; i++) {
            StartBook.Entry entry = own.get(jobs[i]);
            out[i] = entry == null
                    ? StartTimes.NEVER
                    : Math.max(now, entry.submitted() + alone(now, entry.nodes(), entry.walltime()) - now);
        }
        for (int i = 0; i < query.jobs(); i++) {
            out[count + i] = alone(now, query.units(i), query.walltime(i));
        }
    }

    private long alone(long now, int nodes, long walltime) {
        long[] start = new long[1];
        alone(now, new int[] {nodes}, new long[] {walltime}, 1, start);
        // So that a wait can be counted from another instant.
        return Math.min(start[0], Long.MAX_VALUE / 2);
    }

    /** Asks one for what is still not known; tells whether it knew any of it. */
    private static boolean fill(Oracle oracle, long now, int[] units, long[] walltime, int count, long[] out) {
        int[] places = new int[count];
        int open = 0;
        for (int i = 0; i < count; i++) {
            if (out[i] == Oracle.UNKNOWN) {
                places[open++] = i;
            }
        }
        int[] nodes = new int[open];
        long[] times = new long[open];
        long[] starts = new long[open];
        for (int k = 0; k < open; k++) {
            nodes[k] = units[places[k]];
            times[k] = walltime[places[k]];
        }
        if (open > 0) {
            oracle.starts(now, nodes, times, open, starts);
        }
        boolean any = false;
        for (int k = 0; k < open; k++) {
            out[places[k]] = starts[k];
            any |= starts[k] != Oracle.UNKNOWN;
        }
        return any;
    }

    /** All, the one with the least recent loss first. */
    private List<Oracle> byTrust() {
        String best = calibration.best(oracles.stream().map(Oracle::name).toList());
        List<Oracle> order = new ArrayList<>(oracles);
        order.sort((a, b) -> Boolean.compare(b.name().equals(best), a.name().equals(best)));
        return order;
    }

    /** Reads again what all processes of the user have learnt, and takes note of what Slurm plans for our jobs. */
    private void consult(long now) {
        Snapshot seen = engine.seen();
        if (seen != null && !own.isEmpty()) {
            seen.jobs().forEach(this::planned);
        }
        if (readBook != Long.MIN_VALUE && now - readBook < REREAD) {
            return;
        }
        readBook = now;
        try {
            List<StartBook.Entry> started = book.started(now);
            calibration = StartBook.calibration(started);
            meanWait.learn(started);
            corrected.learn(new DrawnWaits(
                    started,
                    own.values().stream()
                            .filter(each -> each.start() == Limit.UNKNOWN)
                            .toList()));
        } catch (IOException e) {
            // Without a book the engine is used.
            calibration = new Calibration();
        }
    }

    /** The first planned start that Slurm tells of a waiting job counts. */
    private void planned(SeenJob job) {
        StartBook.Entry entry = own.get(job.name());
        if (entry != null
                && job.state() == SeenJob.State.WAITING
                && job.start() != Limit.UNKNOWN
                && !entry.predicted().containsKey(PLANNED)) {
            note(entry.with(PLANNED, job.start()));
        }
    }

    /** Nobody who waits for a snapshot waits for what others make of it. */
    private void tell(Consumer<Snapshot> seen, Snapshot taken) {
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
        return basis;
    }

    /** Which estimator is used at present. */
    public synchronized String used() {
        return byTrust().get(0).name();
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
            if (tested != Oracle.UNKNOWN) {
                predictions.put(testOnly.name(), Math.max(now, tested));
            }
        } catch (AwayException e) {
            predictions.clear();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        synchronized (this) {
            for (Oracle oracle : List.of(engine, corrected, meanWait)) {
                long[] out = {Oracle.UNKNOWN};
                if (fill(oracle, now, new int[] {nodes}, new long[] {walltime}, 1, out) && out[0] != Long.MAX_VALUE) {
                    predictions.put(oracle.name(), out[0]);
                }
            }
            Quantiles drawn = corrected.drawn(now, nodes, walltime);
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
        corrected.accepted(at, name, nodes, walltime);
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
