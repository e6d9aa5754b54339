package io.sheaf.predict;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The answer to a {@link StartQuery}: instants in milliseconds at which jobs start, and what they are based on. Reusable. */
public final class StartTimes {
    /** A job does not start, or nothing is known of a queued one. */
    public static final long NEVER = Long.MAX_VALUE;

    /** An estimator knows nothing of a job. Only those that are combined with others answer so. */
    public static final long UNKNOWN = -1;

    private static final @Nullable Quantiles[] NO_WAITS = {};

    private long[] starts = new long[4];
    /** By job the quantiles of its wait, where they were asked for and are known. */
    private @Nullable Quantiles[] waits = NO_WAITS;

    private int queued;
    private int jobs;
    private Basis basis = Basis.NONE;

    /**
     * Begins the answer to a query, for all of its jobs, and returns the array to fill: first the starts of the queued jobs of ours, then those of the
     * jobs that would be submitted. What it contains is undefined.
     */
    public long[] begin(StartQuery query, Basis on) {
        queued = query.queued();
        jobs = query.jobs();
        basis = on;
        if (starts.length < queued + jobs) {
            starts = new long[Math.max(queued + jobs, 2 * starts.length)];
        }
        waits = query.wantsQuantiles() ? new Quantiles[jobs] : NO_WAITS;
        return starts;
    }

    /** Sets all starts. */
    public void fill(long start) {
        Arrays.fill(starts, 0, queued + jobs, start);
    }

    /** Sets the start of a job that would be submitted. */
    public void job(int i, long start) {
        starts[queued + i] = start;
    }

    /** Sets the start of a queued job of ours. */
    public void queued(int i, long start) {
        starts[i] = start;
    }

    /** Sets the quantiles of the wait of a job that would be submitted. */
    public void waits(int i, Quantiles quantiles) {
        waits[i] = quantiles;
    }

    /** Limits the answer to the first jobs of a query in order; at least one. */
    public void answered(int count) {
        jobs = count;
    }

    /** Sets what the answer is based on. */
    public void basis(Basis on) {
        basis = on;
    }

    /** The start of a job that would be submitted. */
    public long job(int i) {
        return starts[queued + i];
    }

    /** The start of a queued job of ours. */
    public long queued(int i) {
        return starts[i];
    }

    /** The quantiles of the wait of a job that would be submitted; null where they are not known, or were not asked for. */
    public @Nullable Quantiles waits(int i) {
        return i < waits.length ? waits[i] : null;
    }

    /** Whether no start is {@link #UNKNOWN}. */
    public boolean isComplete() {
        for (int i = 0; i < queued + jobs; i++) {
            if (starts[i] == UNKNOWN) {
                return false;
            }
        }
        return true;
    }

    /** For how many of the jobs, from the first on, this is an answer. Fewer than asked for only if they are in order. */
    public int answered() {
        return jobs;
    }

    public Basis basis() {
        return basis;
    }
}
