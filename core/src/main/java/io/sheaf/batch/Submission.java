package io.sheaf.batch;

/** A request for units × walltime. Mutable, so that a driver can reuse one object; schedulers copy its values. */
public final class Submission {
    /** The longest walltime that is accepted (about 30,000 years); it keeps sums of times within a long. */
    public static final long MAX_WALLTIME = 1L << 50;

    int units = 1;
    long walltime = 1;
    long memory;
    int user;
    int account;
    int pool;
    long priority;
    long notBefore = Long.MIN_VALUE;
    int after = -1;
    boolean reserving;
    boolean exempt;
    long submitted = Long.MIN_VALUE;

    /** A request with nothing but a size: user 0, priority 0, no conditions. */
    public static Submission of(int units, long walltime) {
        return new Submission().size(units, walltime);
    }

    /** Resets the request and sets the size. */
    public Submission size(int unitCount, long walltimeMs) {
        if (unitCount < 1 || walltimeMs < 1 || walltimeMs > MAX_WALLTIME) {
            throw new IllegalArgumentException("a job of " + unitCount + " units and " + walltimeMs
                    + " ms is invalid: at least 1 unit and 1 ms, at most " + MAX_WALLTIME + " ms");
        }
        units = unitCount;
        walltime = walltimeMs;
        memory = 0;
        user = 0;
        account = 0;
        pool = Pools.ANY;
        priority = 0;
        notBefore = Long.MIN_VALUE;
        after = -1;
        reserving = false;
        exempt = false;
        submitted = Long.MIN_VALUE;
        return this;
    }

    /** The memory on each unit, in bytes; 0 if unknown. */
    public Submission memory(long perUnit) {
        memory = perUnit;
        return this;
    }

    /** The owner, a small number: limits and fair share have arrays by user. */
    public Submission user(int id) {
        if (id < 0) {
            throw new IllegalArgumentException("user " + id + ": users are numbered from 0");
        }
        user = id;
        return this;
    }

    /** The owner's account, a small number, for {@link Multifactor}; a user keeps the account of its first job. */
    public Submission account(int id) {
        account = id;
        return this;
    }

    /** The pool, if the cluster has any. */
    public Submission pool(int number) {
        pool = number;
        return this;
    }

    /** Reduces the units to a maximum. */
    public Submission atMost(int max) {
        units = Math.min(units, max);
        return this;
    }

    /** External priority, if the queue order uses it; larger first. Under {@link Multifactor} the weighted factors that do not change. */
    public Submission priority(long value) {
        priority = value;
        return this;
    }

    public Submission notBefore(long instant) {
        notBefore = instant;
        return this;
    }

    /** Depends on the end of a job in the system and is not planned until then, as in stock Slurm. */
    public Submission eligibleAfter(int job) {
        after = job;
        reserving = false;
        return this;
    }

    /** Depends on the end of a job in the system and is planned no earlier than that job's planned end. */
    public Submission reservingAfter(int job) {
        after = job;
        reserving = true;
        return this;
    }

    /** Exempts the job from the limits per job: a job of a log or a snapshot, which a batch system has accepted before. */
    public Submission exempt() {
        exempt = true;
        return this;
    }

    /** Sets an earlier submission instant, as found in a snapshot, for the job's age. */
    public Submission submitted(long instant) {
        submitted = instant;
        return this;
    }

    public int units() {
        return units;
    }
}
