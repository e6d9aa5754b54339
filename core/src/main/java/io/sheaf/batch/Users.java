package io.sheaf.batch;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The recent usage of each user, and the jobs that count against {@link UserLimits}.
 *
 * <p>Under {@link Multifactor} it also has the users' fair-share factors, as of the last computation.
 *
 * <p>Usage u of a user with r allocated units follows du/dt = r − λu, with λ from the half-life. Between two changes of r it has a closed form.
 */
final class Users {
    private static final double LN_2 = 0.6931471805599453;

    private final double halfLife;
    /** Whether the queue order depends on usage; if not, nothing is recorded. */
    private final boolean recorded;

    private final UserLimits limits;
    /** Whether there are limits; if not, no jobs are counted. */
    final boolean limited;

    /** The jobs and units of each user that are running or planned. */
    private int[] jobs = new int[8];

    private int[] units = new int[8];
    /** Their units × walltime. */
    private long[] times = new long[8];

    private int[] runningUnits = new int[8];
    private double[] usage = new double[8];
    private long[] usageAt = new long[8];
    private int count;

    private final @Nullable Multifactor priority;
    private final FairTree tree = new FairTree();
    /** The numbers in the tree of accounts and users; 0 for those without a job so far. */
    private int[] accounts = new int[8];

    private int[] nodes = new int[8];
    /** Our user; −1 if unknown. */
    int own = -1;

    long computedAt;
    private boolean isDue = true;
    private long lastTime = -1;
    private double lastRemaining;

    Users(UserLimits limits, QueueOrder order) {
        this.limits = limits;
        limited = !limits.areNone();
        halfLife = order.halfLife();
        priority = order.multifactor();
        recorded = order.sharesFairly();
    }

    /** The user of a job that is not submitted: ours, or one without jobs in the system. */
    int unknown() {
        return own < 0 ? count : own;
    }

    /** Adds our user. Under {@link Multifactor} it has our shares in an account; without others in the account, the shares are the account's. */
    void own(int user, int account, long at) {
        own = user;
        if (user >= count) {
            extend(user + 1, at);
        }
        if (priority != null) {
            join(user, account, priority.ownShares());
        }
    }

    /** Adds a user to the tree of accounts at its first job. */
    private void join(int user, int account, double shares) {
        if (account >= accounts.length) {
            accounts = Arrays.copyOf(accounts, 2 * account);
        }
        if (nodes[user] == 0) {
            boolean alone = accounts[account] == 0;
            accounts[account] = alone ? tree.add(FairTree.ROOT, shares, false) : accounts[account];
            nodes[user] = tree.add(accounts[account], alone ? 1 : shares, true);
            isDue = true;
        }
    }

    /** Whether the queue order has to be computed again. */
    boolean isDue(long at) {
        return priority == null || isDue || at - computedAt >= priority.period();
    }

    /** Computes the fair-share factors. */
    void compute(long at) {
        computedAt = at;
        isDue = false;
        for (int user = 0; user < count; user++) {
            if (nodes[user] > 0) {
                usage[user] = usage(user, at);
                usageAt[user] = at;
                tree.use(nodes[user], usage[user]);
            }
        }
        tree.rank();
    }

    /** Computes the fair-share factor of a user. */
    double factorAt(int user, long at) {
        compute(at);
        return factor(user);
    }

    /** The fair-share factor of a user as of the last computation. */
    double factor(int user) {
        return tree.factor(nodes[user]);
    }

    /** Adds the user of a job. */
    void enter(int user, int account, long at) {
        if ((recorded || limited) && user >= count) {
            extend(user + 1, at);
        }
        if (priority != null) {
            join(user, account, 1);
        }
    }

    /** Whether another job of this size may run or be planned. */
    boolean isAllowed(int user, int requested, long walltime) {
        return !limited || (requested <= room(user) && walltime <= roomTime(user) / requested);
    }

    /** The maximum number of units of another job that may run or be planned. */
    int room(int user) {
        if (isExempt(user)) {
            return Integer.MAX_VALUE;
        }
        return jobs[user] < limits.running() ? limits.units() - units[user] : 0;
    }

    /** The maximum of units × walltime of another job that may run or be planned. */
    long roomTime(int user) {
        return limits.unitTime() == Long.MAX_VALUE || isExempt(user) ? Long.MAX_VALUE : limits.unitTime() - times[user];
    }

    /** Whether no limit applies to a user, or it has no jobs; one job alone is within the limits. */
    private boolean isExempt(int user) {
        return !limited || user >= count || (limits.scope() == UserLimits.LimitScope.OWN && user != own);
    }

    /** A job is planned, or starts without having been planned. */
    void plan(int user, int requested, long walltime) {
        if (limited) {
            jobs[user]++;
            units[user] += requested;
            times[user] += requested * walltime;
        }
    }

    /** A job is no longer planned, or ended. */
    void release(int user, int requested, long walltime) {
        if (limited) {
            jobs[user]--;
            units[user] -= requested;
            times[user] -= requested * walltime;
        }
    }

    /** The walltime of a planned job becomes shorter by some time. */
    void shorten(int user, int requested, long less) {
        if (limited) {
            times[user] -= requested * less;
        }
    }

    void started(int user, int requested, long at) {
        if (recorded) {
            usage[user] = usage(user, at);
            usageAt[user] = at;
            runningUnits[user] += requested;
        }
    }

    void ended(int user, int requested, long at) {
        started(user, -requested, at);
    }

    /** Decayed processor-milliseconds. */
    double usage(int user, long at) {
        if (!recorded || user >= count) {
            return 0;
        }
        double remaining = remaining(at - usageAt[user]);
        return usage[user] * remaining + runningUnits[user] * (halfLife / LN_2) * (1 - remaining);
    }

    /** The part of a usage that remains after a time. Many users have the same time since the last computation. */
    private double remaining(long time) {
        if (time != lastTime) {
            lastTime = time;
            lastRemaining = StrictMath.pow(2, -time / halfLife);
        }
        return lastRemaining;
    }

    void copyFrom(Users o) {
        if (!recorded && !limited) {
            return;
        }
        if (usage.length < o.count) {
            resize(o.usage.length);
        }
        System.arraycopy(o.jobs, 0, jobs, 0, o.count);
        System.arraycopy(o.units, 0, units, 0, o.count);
        System.arraycopy(o.times, 0, times, 0, o.count);
        System.arraycopy(o.runningUnits, 0, runningUnits, 0, o.count);
        System.arraycopy(o.usage, 0, usage, 0, o.count);
        System.arraycopy(o.usageAt, 0, usageAt, 0, o.count);
        count = o.count;
        own = o.own;
        if (priority != null) {
            System.arraycopy(o.nodes, 0, nodes, 0, o.count);
            accounts = accounts.length < o.accounts.length ? new int[o.accounts.length] : accounts;
            System.arraycopy(o.accounts, 0, accounts, 0, o.accounts.length);
            tree.copyFrom(o.tree);
            computedAt = o.computedAt;
            isDue = o.isDue;
        }
    }

    private void extend(int n, long at) {
        if (n > usage.length) {
            resize(Math.max(n, 2 * usage.length));
        }
        Arrays.fill(jobs, count, n, 0);
        Arrays.fill(units, count, n, 0);
        Arrays.fill(times, count, n, 0);
        Arrays.fill(runningUnits, count, n, 0);
        Arrays.fill(usage, count, n, 0);
        Arrays.fill(usageAt, count, n, at);
        Arrays.fill(nodes, count, n, 0);
        count = n;
    }

    private void resize(int n) {
        jobs = Arrays.copyOf(jobs, n);
        units = Arrays.copyOf(units, n);
        times = Arrays.copyOf(times, n);
        runningUnits = Arrays.copyOf(runningUnits, n);
        usage = Arrays.copyOf(usage, n);
        usageAt = Arrays.copyOf(usageAt, n);
        nodes = Arrays.copyOf(nodes, n);
    }
}
