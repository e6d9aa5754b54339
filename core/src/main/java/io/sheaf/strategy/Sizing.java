package io.sheaf.strategy;

import io.sheaf.manager.TaskGroup;
import io.sheaf.manager.View;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import java.util.BitSet;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Run times, queue waits and the best node count for groups of levels at the instant of a decision (PickBestNumNodes, thesis, Algorithm 3; see {@link
 * Allocations}).
 *
 * <p>If starts are promised, few run times are computed; if the queue is simulated forward, all are. Completed tasks are omitted, so that levels are
 * shorter after an expiry.
 *
 * <h2>Limits</h2>
 * With a maximum walltime, a group may be too long for one job on some or all node counts. Then its queue wait is that of a chain of jobs of the maximum walltime: w for the first of k, and for each
 * further one w, or, if waits {@linkplain Waits#OVERLAP overlap}, what exceeds the run time of the job before it. A strategy that lets waits overlap submits one job for a group, so a node count on which
 * the group fits is preferred to all others. Without a limit nothing changes. Where the limits of pools differ, a job stays {@linkplain #within within} the one with which its levels end earliest.
 */
final class Sizing {
    static final long ANY_END = Allocations.ANY_END;

    /** How the waits of consecutive jobs add up. */
    enum Waits {
        /** Each job is submitted when the one before it has ended. */
        ADD,
        /** Each job is submitted when the one before it starts. */
        OVERLAP
    }

    private final RunTimes times;
    /** With the limit of walltimes that jobs stay within. */
    final View view;

    private final Profile profile;
    private final Waits waits;
    private final Allocations search;
    private final TieRule ties;
    final Queue queue;
    private final boolean promised;

    Sizing(RunTimes times, View view, StartEstimator estimator, Profile profile, TieRule ties, Waits waits) {
        this.times = times;
        this.view = view;
        this.profile = profile;
        this.waits = waits;
        this.ties = ties;
        search = new Allocations(ties);
        queue = new Queue(view, estimator, profile);
        promised = estimator.basis() == Basis.PROMISE;
    }

    /**
     * The sizing within one of the limits of the pools: that with which a job, or a chain of such jobs, is estimated to end first. Limits that are shorter than one of its tasks do not count.
     *
     * @param delay the time until the job can work, in milliseconds
     * @param job the job for the levels to submit
     */
    Sizing within(StartEstimator estimator, long delay, Function<Sizing, LevelJob> job) {
        long[] limits = limits();
        if (limits.length < 2) {
            return this;
        }
        Sizing best = this;
        LevelJob unlimited = job.apply(this);
        long minEnd = Math.max(delay, unlimited.queueWait()) + unlimited.run();
        long longest = longestTask(unlimited.firstLevel(), unlimited.lastLevel());
        for (long limit : limits) {
            if (longest > limit || limit >= view.walltime(unlimited.nodes())) {
                continue;
            }
            View shorter = new TimedView(view, view.workflow(), limit);
            Sizing other = new Sizing(times, shorter, estimator, profile, ties, waits);
            LevelJob cut = job.apply(other);
            long end = Math.max(delay, cut.queueWait()) + cut.run();
            if (end < minEnd) {
                best = other;
                minEnd = end;
            }
        }
        return best;
    }

    /** The different maximum walltimes of the pools that are open. */
    private long[] limits() {
        return view.pools().all().stream()
                .filter(pool -> pool.jobs() > 0)
                .mapToLong(pool -> pool.limits().walltime())
                .distinct()
                .toArray();
    }

    /** The unfinished tasks of some levels. */
    private IntStream left(int first, int last) {
        return view.workflow().tasksOfLevels(first, last).filter(task -> !view.isDone(task));
    }

    private long longestTask(int first, int last) {
        return left(first, last).mapToLong(view::room).max().orElse(0);
    }

    /** Prepares shared estimates for groups that begin at the same level. */
    void prepare(int first, int last) {
        times.prefixes(first, last);
    }

    /** The node count that minimizes max(delay, wait(n)) + run(n). */
    LevelJob best(int first, int last, long delay) {
        return Objects.requireNonNull(bestBefore(first, last, delay, ANY_END));
    }

    /** The same; may return null, faster, if max(delay, wait(n)) + run(n) is not below a date for any n. */
    @Nullable
    LevelJob bestBefore(int first, int last, long delay, long before) {
        int max = maxNodes(first, last);
        Allocation found;
        if (isLimited() || isTouched(first, last)) {
            found = bestOfRest(first, last, delay, max);
        } else if (promised) {
            found = search.prunedBefore(times.range(first, last), delay, max, queue::waits, before);
        } else {
            found = search.exhaustive(times.range(first, last), delay, max, queue::waits);
        }
        return found == null ? null : new LevelJob(first, last, found.nodes(), found.run(), 0, found.startDelay());
    }

    /** A job as wide as the levels. */
    LevelJob widest(int first, int last) {
        return onNodes(maxNodes(first, last), first, last);
    }

    LevelJob onNodes(int nodes, int first, int last) {
        long run = run(nodes, first, last);
        long longest = longestRun(first, last, nodes);
        long wait = chainWait(queue.waitFor(nodes, Math.min(run, longest)), longest, run);
        return new LevelJob(first, last, nodes, run, 0, wait);
    }

    private boolean isLimited() {
        return view.walltime(view.nodes()) < Long.MAX_VALUE;
    }

    /** Whether a job for these levels is within the maximum walltime. */
    boolean fits(LevelJob job) {
        return job.run() <= longestRun(job.firstLevel(), job.lastLevel(), job.nodes());
    }

    /** The greatest run time of a job of some nodes for these levels. A single long task may use the margin that is added to run times. */
    long longestRun(int first, int last, int nodes) {
        if (!isLimited()) {
            return Long.MAX_VALUE;
        }
        long longestTask = left(first, last)
                .mapToLong(task -> view.workflow().timeMillis(task))
                .max()
                .orElse(0);
        return Math.min(Math.max(profile.longestRun(view.walltime(nodes)), longestTask), view.walltime(nodes));
    }

    /** The exposed queue wait of a chain of jobs of the maximum walltime for a run time, from the wait of the first. */
    private long chainWait(long first, long longest, long run) {
        if (run <= longest || first >= Rollout.NEVER) {
            return first;
        }
        long more = (run - 1) / longest;
        return first + more * (waits == Waits.ADD ? first : Math.max(0, first - longest));
    }

    /** The job with some leeway; if that is not within the maximum walltime or does not suffice, it depends on its predecessor's end instead. */
    LevelJob withLeeway(LevelJob job, long leeway, long delay) {
        if (leeway == 0) {
            return job;
        }
        boolean tooLong = leeway > longestRun(job.firstLevel(), job.lastLevel(), job.nodes()) - job.run();
        long wait = tooLong ? Rollout.NEVER : queue.waitFor(job.nodes(), job.run() + leeway);
        return isLimited() && (tooLong || delay - wait > leeway)
                ? job.afterPredecessor(delay)
                : new LevelJob(job.firstLevel(), job.lastLevel(), job.nodes(), job.run(), leeway, wait);
    }

    /** The run time of the unfinished tasks of some levels on some nodes. */
    long run(int nodes, int first, int last) {
        return isTouched(first, last) ? times.millis(first, last, nodes, done()) : times.millis(first, last, nodes);
    }

    /** The same for some of their tasks. */
    long run(int nodes, int first, int last, TaskGroup group) {
        BitSet finished = done();
        for (int task = 0; task < view.workflow().size(); task++) {
            if (!group.contains(task)) {
                finished.set(task);
            }
        }
        return times.millis(first, last, nodes, finished);
    }

    /** The fewest nodes on which every task of these levels fits. */
    int minNodes(int first, int last) {
        return times.range(first, last).minNodes();
    }

    /** The maximum number of nodes that these levels can use: the maximum width of their unfinished tasks, within the cluster. */
    int maxNodes(int first, int last) {
        LevelRange range = times.range(first, last);
        int widest = isTouched(first, last) ? times.nodesOfRest(first, last, done()) : range.maxNodes();
        return Math.max(range.minNodes(), Math.min(view.nodes(), widest));
    }

    private Allocation bestOfRest(int first, int last, long delay, int max) {
        boolean touched = isTouched(first, last);
        BitSet done = touched ? done() : new BitSet();
        int min = times.range(first, last).minNodes();
        int count = max - min + 1;
        int[] nodes = new int[count];
        long[] run = new long[count];
        long[] wait = new long[count];
        long[] longest = new long[count];
        long[] cut = new long[count];
        for (int i = 0; i < count; i++) {
            nodes[i] = min + i;
            run[i] = touched ? times.millis(first, last, nodes[i], done) : times.millis(first, last, nodes[i]);
            longest[i] = i > 0 && view.walltime(nodes[i]) == view.walltime(nodes[i - 1])
                    ? longest[i - 1]
                    : longestRun(first, last, nodes[i]);
            cut[i] = Math.min(run[i], longest[i]);
        }
        queue.waits(nodes, cut, count, wait);
        Allocation best = null;
        boolean bestFits = false;
        for (int i = 0; i < count; i++) {
            Allocation other = new Allocation(nodes[i], run[i], chainWait(wait[i], longest[i], run[i]));
            boolean fits = run[i] <= longest[i];
            if (best == null || isBetter(other, fits, best, bestFits, delay)) {
                best = other;
                bestFits = fits;
            }
        }
        return Objects.requireNonNull(best);
    }

    private boolean isBetter(Allocation other, boolean fits, Allocation best, boolean bestFits, long delay) {
        if (waits == Waits.OVERLAP && fits != bestFits) {
            return fits;
        }
        boolean tied = other.end(delay) == best.end(delay) && ties.wins(other.nodes(), best.nodes());
        return other.end(delay) < best.end(delay) || tied;
    }

    private BitSet done() {
        BitSet done = new BitSet();
        for (int task = 0; task < view.workflow().size(); task++) {
            if (view.isDone(task)) {
                done.set(task);
            }
        }
        return done;
    }

    private boolean isTouched(int first, int last) {
        for (int level = first; level <= last; level++) {
            if (view.unfinished(level) < view.workflow().width(level)) {
                return true;
            }
        }
        return false;
    }
}
