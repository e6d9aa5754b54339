package io.sheaf.strategy;

import io.sheaf.manager.TaskGroup;
import io.sheaf.manager.View;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Run times, queue waits and the best node count for groups of levels at the instant of a decision (PickBestNumNodes, thesis, Algorithm 3; see {@link
 * Allocations}).
 *
 * <p>If starts are promised, few run times are computed; if the queue is simulated forward, all are. Completed tasks are omitted, so that levels are
 * shorter after an expiry.
 */
final class Sizing {
    static final long ANY_END = Allocations.ANY_END;

    private final RunTimes times;
    private final View view;
    private final Allocations search;
    private final TieRule ties;
    private final Queue queue;
    private final boolean promised;

    Sizing(RunTimes times, View view, StartEstimator estimator, Profile profile, TieRule ties) {
        this.times = times;
        this.view = view;
        this.ties = ties;
        search = new Allocations(ties);
        queue = new Queue(view, estimator, profile);
        promised = estimator.basis() == Basis.PROMISE;
    }

    Queue queue() {
        return queue;
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
        int most = maxNodes(first, last);
        Allocation found;
        if (isTouched(first, last)) {
            found = bestOfRest(first, last, delay, most);
        } else if (promised) {
            found = search.prunedBefore(times.range(first, last), delay, most, queue::waits, before);
        } else {
            found = search.exhaustive(times.range(first, last), delay, most, queue::waits);
        }
        return found == null ? null : new LevelJob(first, last, found.nodes(), found.run(), 0, found.startDelay());
    }

    /** A job as wide as the levels. */
    LevelJob widest(int first, int last) {
        return onNodes(maxNodes(first, last), first, last);
    }

    /** A job of a fixed number of nodes. */
    LevelJob onNodes(int nodes, int first, int last) {
        long run = run(nodes, first, last);
        return new LevelJob(first, last, nodes, run, 0, queue.waitFor(nodes, run));
    }

    /** The run time of the unfinished tasks of some levels on some nodes. */
    long run(int nodes, int first, int last) {
        return isTouched(first, last) ? times.millis(first, last, nodes, done()) : times.millis(first, last, nodes);
    }

    /** The same for some of their tasks. */
    long run(int nodes, int first, int last, TaskGroup group) {
        BitSet others = done();
        for (int task = 0; task < view.workflow().size(); task++) {
            if (!group.contains(task)) {
                others.set(task);
            }
        }
        return times.millis(first, last, nodes, others);
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

    private Allocation bestOfRest(int first, int last, long delay, int most) {
        BitSet done = done();
        int least = times.range(first, last).minNodes();
        int count = most - least + 1;
        int[] nodes = new int[count];
        long[] run = new long[count];
        long[] wait = new long[count];
        for (int i = 0; i < count; i++) {
            nodes[i] = least + i;
            run[i] = times.millis(first, last, nodes[i], done);
        }
        queue.waits(nodes, run, count, wait);
        Allocation best = new Allocation(nodes[0], run[0], wait[0]);
        for (int i = 1; i < count; i++) {
            Allocation other = new Allocation(nodes[i], run[i], wait[i]);
            boolean tied = other.end(delay) == best.end(delay) && ties.wins(other.nodes(), best.nodes());
            if (other.end(delay) < best.end(delay) || tied) {
                best = other;
            }
        }
        return best;
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
