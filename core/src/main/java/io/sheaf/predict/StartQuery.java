package io.sheaf.predict;

import io.sheaf.batch.JobShapes;

/**
 * A query for start times of jobs that would be submitted at an instant, and of our queued jobs, identified by their tokens.
 *
 * <p>Reusable: {@link #begin} removes all jobs and tokens. Instants and walltimes are in milliseconds.
 */
public final class StartQuery {
    /** No token. */
    public static final long NONE = -1;

    /** The relation of the jobs of a query to each other and to our queued jobs. */
    public enum Arrangement {
        /** Each job is submitted by itself, as if there were no other job in the query. */
        ALONE,
        /**
         * The jobs are submitted in this order; each is estimated with the earlier ones in the queue. An estimator may answer for the first ones
         * only, see {@link StartTimes#answered}. One that does not see submissions at once treats each job as alone.
         */
        IN_ORDER,
        /** All jobs are submitted in this order; then one of our queued jobs may be cancelled. All are in the queue together. */
        WITH_QUEUED
    }

    private long now;
    private Arrangement arrangement = Arrangement.ALONE;
    private final JobShapes shapes = new JobShapes();
    private int queued;
    private long[] tokens = new long[0];
    private long cancelled = NONE;
    private boolean quantiles;

    /** A query for one job by itself. */
    public static StartQuery of(long now, int pool, int units, long walltime) {
        return new StartQuery().begin(now, Arrangement.ALONE).add(pool, units, walltime);
    }

    /** A query for the first {@code count} our queued jobs with these tokens; jobs may be added to it. */
    public static StartQuery ofQueued(long now, long[] tokens, int count) {
        return new StartQuery().begin(now, Arrangement.WITH_QUEUED).queued(tokens, count);
    }

    /** Begins another query for jobs at an instant. */
    public StartQuery begin(long at, Arrangement order) {
        now = at;
        arrangement = order;
        shapes.clear();
        queued = 0;
        cancelled = NONE;
        quantiles = false;
        return this;
    }

    /** Adds a job that would be submitted. */
    public StartQuery add(int pool, int size, long walltime) {
        shapes.add(pool, size, walltime);
        return this;
    }

    /** Adds our queued jobs to the query; for {@link Arrangement#WITH_QUEUED}. */
    public StartQuery queued(long[] queuedTokens, int count) {
        if (tokens.length < count) {
            tokens = new long[Math.max(count, 2 * tokens.length)];
        }
        System.arraycopy(queuedTokens, 0, tokens, 0, count);
        queued = count;
        return this;
    }

    /** Cancels one of our queued jobs, which is not part of the query, as soon as the jobs are submitted. */
    public StartQuery cancelling(long token) {
        cancelled = token;
        return this;
    }

    /** Sets the memory that each job would request on each unit, in bytes. */
    public StartQuery needing(long perUnit) {
        shapes.needing(perUnit);
        return this;
    }

    /** Requests the quantiles of waits, if known. */
    public StartQuery withQuantiles() {
        quantiles = true;
        return this;
    }

    /** Copies another query to this instant, with walltimes that are {@code longer} milliseconds longer. */
    public StartQuery copy(StartQuery other, long at, long longer) {
        begin(at, other.arrangement)
                .queued(other.tokens, other.queued)
                .cancelling(other.cancelled)
                .needing(other.memory());
        quantiles = other.quantiles;
        for (int i = 0; i < other.jobs(); i++) {
            add(other.pool(i), other.units(i), other.walltime(i) + longer);
        }
        return this;
    }

    public long now() {
        return now;
    }

    public Arrangement arrangement() {
        return arrangement;
    }

    public boolean isInOrder() {
        return arrangement == Arrangement.IN_ORDER;
    }

    public boolean isWithQueued() {
        return arrangement == Arrangement.WITH_QUEUED;
    }

    /** The number of jobs that would be submitted. */
    public int jobs() {
        return shapes.count();
    }

    public int pool(int job) {
        return shapes.pool(job);
    }

    public int units(int job) {
        return shapes.units(job);
    }

    public long walltime(int job) {
        return shapes.walltime(job);
    }

    /** The jobs that would be submitted; read-only. */
    public JobShapes shapes() {
        return shapes;
    }

    /** The memory of each job on each unit, in bytes; 0 if unknown. */
    public long memory() {
        return shapes.memory();
    }

    public boolean needsQuantiles() {
        return quantiles;
    }

    /** The number of our queued jobs in the query. */
    public int queued() {
        return queued;
    }

    /** The token of one of our queued jobs. */
    public long token(int i) {
        return tokens[i];
    }

    /** The token of the cancelled job; {@link #NONE} if there is none. */
    public long cancelled() {
        return cancelled;
    }
}
