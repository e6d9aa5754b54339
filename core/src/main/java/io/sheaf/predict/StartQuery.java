package io.sheaf.predict;

import java.util.Arrays;

/**
 * A question for start times: jobs that would be submitted at an instant, and queued jobs of ours, by the tokens under which they were submitted.
 *
 * <p>An object may be reused: {@link #begin} removes all jobs and tokens. Instants and walltimes are in milliseconds.
 */
public final class StartQuery {
    /** No token. */
    public static final long NONE = -1;

    /** How the jobs of a query stand to each other and to our queued jobs. */
    public enum Arrangement {
        /** Each job is submitted by itself, as if there were no other job in the query. */
        ALONE,
        /**
         * The jobs are submitted in this order, and each is asked for with those before it in the queue. An estimator may answer for the first
         * ones only, see {@link StartTimes#answered}. One that does not see submissions at once treats each job as if it were alone.
         */
        IN_ORDER,
        /** All jobs are submitted in this order; then a queued job of ours may be cancelled. All are in the queue together. */
        WITH_QUEUED
    }

    private long now;
    private Arrangement arrangement = Arrangement.ALONE;
    private int jobs;
    private int[] pools = new int[4];
    private int[] units = new int[4];
    private long[] walltimes = new long[4];
    private int queued;
    private long[] tokens = new long[0];
    private long cancelled = NONE;
    private boolean quantiles;

    /** A query for one job by itself. */
    public static StartQuery of(long now, int pool, int units, long walltime) {
        return new StartQuery().begin(now, Arrangement.ALONE).add(pool, units, walltime);
    }

    /** A query for the first {@code count} queued jobs of ours with these tokens; jobs may be added to it. */
    public static StartQuery ofQueued(long now, long[] tokens, int count) {
        return new StartQuery().begin(now, Arrangement.WITH_QUEUED).queued(tokens, count);
    }

    /** Begins another query for jobs at an instant. */
    public StartQuery begin(long at, Arrangement how) {
        now = at;
        arrangement = how;
        jobs = 0;
        queued = 0;
        cancelled = NONE;
        quantiles = false;
        return this;
    }

    /** Adds a job that would be submitted. */
    public StartQuery add(int pool, int size, long walltime) {
        if (jobs == units.length) {
            int room = 2 * jobs;
            pools = Arrays.copyOf(pools, room);
            units = Arrays.copyOf(units, room);
            walltimes = Arrays.copyOf(walltimes, room);
        }
        pools[jobs] = pool;
        units[jobs] = size;
        walltimes[jobs++] = walltime;
        return this;
    }

    /** Asks for queued jobs of ours as well; for {@link Arrangement#WITH_QUEUED}. */
    public StartQuery queued(long[] some, int count) {
        if (tokens.length < count) {
            tokens = new long[Math.max(count, 2 * tokens.length)];
        }
        System.arraycopy(some, 0, tokens, 0, count);
        queued = count;
        return this;
    }

    /** A queued job of ours, for which is not asked, is cancelled as soon as the jobs are submitted. */
    public StartQuery cancelling(long token) {
        cancelled = token;
        return this;
    }

    /** Asks for the quantiles of waits as well, where they are known. */
    public StartQuery withQuantiles() {
        quantiles = true;
        return this;
    }

    /** Becomes another query at some instant, with walltimes that are longer by some milliseconds. */
    public StartQuery copy(StartQuery other, long at, long longer) {
        begin(at, other.arrangement).queued(other.tokens, other.queued).cancelling(other.cancelled);
        quantiles = other.quantiles;
        for (int i = 0; i < other.jobs; i++) {
            add(other.pools[i], other.units[i], other.walltimes[i] + longer);
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
        return jobs;
    }

    public int pool(int job) {
        return pools[job];
    }

    public int units(int job) {
        return units[job];
    }

    public long walltime(int job) {
        return walltimes[job];
    }

    /** The units of all jobs; not to be changed, and longer than there are jobs. */
    public int[] units() {
        return units;
    }

    /** The walltimes of all jobs; not to be changed, and longer than there are jobs. */
    public long[] walltimes() {
        return walltimes;
    }

    public boolean wantsQuantiles() {
        return quantiles;
    }

    /** The number of queued jobs of ours that are asked for. */
    public int queued() {
        return queued;
    }

    /** The token of a queued job of ours. */
    public long token(int i) {
        return tokens[i];
    }

    /** The token of the job that is cancelled; {@link #NONE} if none is. */
    public long cancelled() {
        return cancelled;
    }
}
