package io.sheaf.batch;

import java.util.Arrays;

/**
 * The jobs and the recent usage of each user.
 *
 * <p>Usage u of a user with r allocated units follows du/dt = r − λu, with λ from the half-life. Between two changes of r it has a closed form.
 */
final class Users {
    private static final double LN_2 = 0.6931471805599453;

    private final UserLimits limits;
    private final double halfLife;
    /** Whether limits or fair share are configured; if not, nothing is recorded. */
    private final boolean kept;

    private int[] jobs = new int[8];
    private int[] taking = new int[8];
    private int[] takingUnits = new int[8];
    private int[] runningUnits = new int[8];
    private double[] usage = new double[8];
    private long[] usageAt = new long[8];
    private int count;

    Users(UserLimits limits, QueueOrder order) {
        this.limits = limits;
        halfLife = order.halfLife();
        kept = !limits.equals(UserLimits.NONE) || order.sharesFairly();
    }

    boolean areLimited() {
        return !limits.equals(UserLimits.NONE);
    }

    /** The number of a user without jobs in the system. */
    int unknown() {
        return count;
    }

    /** Adds a job, unless the user has too many. Returns whether it was added. */
    boolean enter(int user, long at) {
        if (!kept) {
            return true;
        }
        if (user >= count) {
            extend(user + 1, at);
        }
        if (jobs[user] >= limits.jobs()) {
            return false;
        }
        jobs[user]++;
        return true;
    }

    void leave(int user) {
        if (kept) {
            jobs[user]--;
        }
    }

    /** Whether another job of this size may run or be planned. */
    boolean mayTake(int user, int units) {
        return !kept || (taking[user] < limits.running() && units <= limits.units() - takingUnits[user]);
    }

    /** A job is planned, or starts without having been planned. */
    void take(int user, int units) {
        if (kept) {
            taking[user]++;
            takingUnits[user] += units;
        }
    }

    /** A job is no longer planned, or ended. */
    void give(int user, int units) {
        if (kept) {
            taking[user]--;
            takingUnits[user] -= units;
        }
    }

    void started(int user, int units, long at) {
        if (kept) {
            usage[user] = usage(user, at);
            usageAt[user] = at;
            runningUnits[user] += units;
        }
    }

    void ended(int user, int units, long at) {
        started(user, -units, at);
    }

    /** Decayed processor-milliseconds. */
    double usage(int user, long at) {
        if (!kept || user >= count) {
            return 0;
        }
        double remaining = StrictMath.pow(2, -(at - usageAt[user]) / halfLife);
        return usage[user] * remaining + runningUnits[user] * (halfLife / LN_2) * (1 - remaining);
    }

    void copyFrom(Users o) {
        if (!kept) {
            return;
        }
        if (jobs.length < o.count) {
            resize(o.jobs.length);
        }
        System.arraycopy(o.jobs, 0, jobs, 0, o.count);
        System.arraycopy(o.taking, 0, taking, 0, o.count);
        System.arraycopy(o.takingUnits, 0, takingUnits, 0, o.count);
        System.arraycopy(o.runningUnits, 0, runningUnits, 0, o.count);
        System.arraycopy(o.usage, 0, usage, 0, o.count);
        System.arraycopy(o.usageAt, 0, usageAt, 0, o.count);
        count = o.count;
    }

    private void extend(int n, long at) {
        if (n > jobs.length) {
            resize(Math.max(n, 2 * jobs.length));
        }
        Arrays.fill(jobs, count, n, 0);
        Arrays.fill(taking, count, n, 0);
        Arrays.fill(takingUnits, count, n, 0);
        Arrays.fill(runningUnits, count, n, 0);
        Arrays.fill(usage, count, n, 0);
        Arrays.fill(usageAt, count, n, at);
        count = n;
    }

    private void resize(int n) {
        jobs = Arrays.copyOf(jobs, n);
        taking = Arrays.copyOf(taking, n);
        takingUnits = Arrays.copyOf(takingUnits, n);
        runningUnits = Arrays.copyOf(runningUnits, n);
        usage = Arrays.copyOf(usage, n);
        usageAt = Arrays.copyOf(usageAt, n);
    }
}
