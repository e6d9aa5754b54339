package io.sheaf.slurm.whatif;

import io.sheaf.predict.Calibration;
import io.sheaf.predict.Estimator;
import io.sheaf.slurm.SlurmAwayException;
import io.sheaf.slurm.SlurmCommands;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * When would a job of ours start on this Slurm cluster? By whichever estimator was least wrong about our last jobs.
 *
 * <p>The engine with the newest snapshot is trusted at first, then the mean of our waits, then {@code sbatch --test-only}. What each said of a job when
 * it was submitted, and what Slurm planned for it when it was queued, is kept with its real start; what one does not know is asked of
 * the next. Whoever submits tells of it: {@link #predictions}, {@link #submitted}, {@link #planned}, {@link #started}, {@link #gone}.
 */
public final class SlurmEstimator implements Estimator {
    /** As the planned start of a queued job stands on record; it knows of no others. */
    static final String PLANNED = "planned";

    private static final long REREAD = 60_000;

    private final EngineOracle engine;
    private final MeanWait meanWait = new MeanWait();
    private final List<Oracle> oracles;
    private final StartBook book;
    private final Map<String, StartBook.Entry> own = new LinkedHashMap<>();
    private Calibration calibration = new Calibration();
    private long readBook = Long.MIN_VALUE;
    private Basis basis = Basis.NONE;

    /**
     * An estimator for jobs that are submitted alike.
     *
     * @param user whose jobs ours are
     * @param partition where they go; empty for the cluster's default
     * @param constraint what their nodes must have; may be empty
     * @param options the options of {@code sbatch} that all of them have
     * @param folder where it is kept how well estimators did, one for each user and cluster
     */
    public SlurmEstimator(
            SlurmCommands commands, String user, String partition, String constraint, List<String> options, Path folder) {
        engine = new EngineOracle(new Snapshots(new SnapshotReader(commands, user)), partition, constraint);
        oracles = List.of(engine, meanWait, new TestOnly(commands, options));
        book = new StartBook(folder);
    }

    @Override
    public void starts(long now, int pool, int[] units, long[] walltime, int count, long[] out) {
        consult(now);
        Arrays.fill(out, 0, count, Oracle.UNKNOWN);
        basis = Basis.NONE;
        for (Oracle oracle : byTrust()) {
            if (fill(oracle, now, units, walltime, count, out) && basis == Basis.NONE) {
                basis = oracle.basis();
            }
        }
        for (int i = 0; i < count; i++) {
            // Nobody knows: as if the cluster were empty.
            out[i] = out[i] == Oracle.UNKNOWN ? now : out[i];
        }
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
        if (open == 0) {
            return false;
        }
        int[] nodes = new int[open];
        long[] times = new long[open];
        long[] starts = new long[open];
        for (int k = 0; k < open; k++) {
            nodes[k] = units[places[k]];
            times[k] = walltime[places[k]];
        }
        try {
            oracle.starts(now, nodes, times, open, starts);
        } catch (SlurmAwayException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
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

    /** Reads again what all processes of the user have learnt. */
    private void consult(long now) {
        if (readBook != Long.MIN_VALUE && now - readBook < REREAD) {
            return;
        }
        readBook = now;
        try {
            List<StartBook.Entry> started = book.started(now);
            calibration = StartBook.calibration(started);
            meanWait.learn(started);
        } catch (IOException e) {
            // What is known stays; without a book the engine is used.
            calibration = new Calibration();
        }
    }

    @Override
    public Basis basis() {
        return basis;
    }

    /** Which estimator is used at present. */
    public String used() {
        return byTrust().get(0).name();
    }

    /** What each estimator says of a job of ours that is about to be submitted, by name; what one does not know is not there. */
    public Map<String, Long> predictions(long now, int nodes, long walltime) {
        consult(now);
        Map<String, Long> predictions = new LinkedHashMap<>();
        for (Oracle oracle : oracles) {
            long[] out = {Oracle.UNKNOWN};
            if (fill(oracle, now, new int[] {nodes}, new long[] {walltime}, 1, out) && out[0] != Long.MAX_VALUE) {
                predictions.put(oracle.name(), out[0]);
            }
        }
        return predictions;
    }

    /** A job of ours was accepted, of which this was said before. */
    public void submitted(long now, String job, int nodes, long walltime, Map<String, Long> predictions) {
        engine.accepted(now, job, nodes, walltime);
        note(new StartBook.Entry(job, now, nodes, walltime, Limit.UNKNOWN, predictions));
    }

    /** Slurm plans a queued job of ours for an instant; the first that it tells counts. */
    public void planned(String job, long start) {
        StartBook.Entry entry = own.get(job);
        if (entry != null && !entry.predicted().containsKey(PLANNED)) {
            note(entry.with(PLANNED, start));
        }
    }

    /** A job of ours runs. */
    public void started(long at, String job) {
        StartBook.Entry entry = own.get(job);
        if (entry != null) {
            note(entry.started(at));
            own.remove(job);
            readBook = Long.MIN_VALUE;
        }
    }

    /** A job of ours is over, or was withdrawn, without having run. */
    public void gone(String job) {
        StartBook.Entry entry = own.remove(job);
        if (entry != null) {
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
}
