package io.sheaf.predict;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The answer to a {@link StartQuery}: start instants of jobs in milliseconds, and their basis. Reusable. */
public final class StartTimes {
    /** A job does not start, or a queued one is unknown. */
    public static final long NEVER = Long.MAX_VALUE;

    /** The estimator does not know the job. Only estimators that are combined with others return it. */
    public static final long UNKNOWN = -1;

    private static final @Nullable Quantiles[] NO_WAITS = {};

    private long[] starts = new long[4];
    /** The quantiles of each job's wait, if requested and known. */
    private @Nullable Quantiles[] waits = NO_WAITS;

    private int queued;
    private int jobs;
    private Basis basis = Basis.NONE;

    /**
     * Begins the answer for all jobs of a query and returns the array to fill: first the starts of our queued jobs, then those of the new jobs. Its
     * initial content is undefined.
     */
    public long[] begin(StartQuery query, Basis source) {
        queued = query.queued();
        jobs = query.jobs();
        basis = source;
        if (starts.length < queued + jobs) {
            starts = new long[Math.max(queued + jobs, 2 * starts.length)];
        }
        waits = query.needsQuantiles() ? new Quantiles[jobs] : NO_WAITS;
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

    /** Sets the start of one of our queued jobs. */
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

    public void basis(Basis source) {
        basis = source;
    }

    /** The start of a job that would be submitted. */
    public long job(int i) {
        return starts[queued + i];
    }

    /** The start of one of our queued jobs. */
    public long queued(int i) {
        return starts[i];
    }

    /** The quantiles of the wait of a job that would be submitted; null if unknown or not requested. */
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

    /** The number of answered jobs, from the first on. Fewer than in the query only if they are in order. */
    public int answered() {
        return jobs;
    }

    public Basis basis() {
        return basis;
    }
}
