package io.sheaf.strategy;

import io.sheaf.text.InputException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the number of nodes with which some levels of a workflow end earliest: the n with the least max(delay, wait(n, run(n))) +
 * run(n).
 *
 * <p>This is PickBestNumNodes of GLUME (Glume thesis, Algorithm 3), and in other clothes the choice of OneJob, of LevelByLevel and of
 * Zhang's second enhancement. Two forms give the same answer. {@link #exhaustive} asks for every n, as the publications do, and leaves
 * all it asked to be read. {@link #pruned} computes few run times:
 *
 * <p>It keeps for each n a date that the end is not before, from a bound on the run time and the wait that this bound gives. The
 * n with the earliest date is looked at: if its run time is known, no other n can end earlier, and it is the answer; otherwise its run
 * time is computed, its date moves back, and so on. This is exact if <em>for a given n a longer job never starts earlier</em>. That
 * holds for whatever looks for a hole in a plan that it does not change: a hole for the longer job is a hole for the shorter
 * one, too. So it holds for the promises of conservative backfilling, whatever is added to the walltime, as long as a longer one stays
 * longer. It need not hold for a forecast that simulates the queue: use the exhaustive form with it.
 *
 * <p>Work memory is kept from search to search: one instance serves one thread.
 */
public final class Allocations {
    /** A waste bound that leaves nothing out. */
    public static final double ANY_WASTE = 1;

    /** A date that is not before any end. */
    static final long ANY_END = Long.MAX_VALUE;

    private final TieRule tie;
    private final double wasteBound;
    private int count;
    private int[] nodes = {};
    private long[] run = {};
    private long[] wait = {};
    /** The end is not before this date. */
    private long[] end = {};

    private boolean[] exact = {};
    /** Too wasteful, or found to end too late. */
    private boolean[] out = {};

    private final int[] oneNodes = new int[1];
    private final long[] oneRun = new long[1];
    private final long[] oneWait = new long[1];

    /**
     * With a bound b on the waste, an n is left out if more than the share b of its node time would be idle: (held − work) / held > b,
     * with held = n · cores · run(n). If that leaves none, the fewest nodes are taken.
     */
    public Allocations(TieRule tie, double wasteBound) {
        if (!(wasteBound >= 0 && wasteBound <= 1)) {
            throw new IllegalArgumentException("waste bound " + wasteBound + " is not between 0 and 1");
        }
        this.tie = tie;
        this.wasteBound = wasteBound;
    }

    public Allocations(TieRule tie) {
        this(tie, ANY_WASTE);
    }

    /** Examines all n up to a maximum. */
    public Allocation exhaustive(LevelRange range, long delay, int maxNodes, StartDelays waits) {
        prepare(range, maxNodes);
        for (int i = 0; i < count; i++) {
            run[i] = range.millis(nodes[i]);
            exact[i] = true;
        }
        return Objects.requireNonNull(search(range, delay, waits, ANY_END));
    }

    /** The same answer with few run times computed; for waits that are not shorter for longer jobs. */
    public Allocation pruned(LevelRange range, long delay, int maxNodes, StartDelays waits) {
        return Objects.requireNonNull(prunedBefore(range, delay, maxNodes, waits, ANY_END));
    }

    /** The same answer if it ends before a date (from now, as {@link Allocation#end} tells it), and otherwise null, found faster. */
    public @Nullable Allocation prunedBefore(
            LevelRange range, long delay, int maxNodes, StartDelays waits, long before) {
        if (before != ANY_END && delay + range.criticalPath() >= before) {
            return null;
        }
        prepare(range, maxNodes);
        for (int i = 0; i < count; i++) {
            exact[i] = range.isKnown(nodes[i]);
            run[i] = range.bound(nodes[i]);
        }
        return search(range, delay, waits, before);
    }

    // --- what the last exhaustive search considered ---

    public int considered() {
        return count;
    }

    public Allocation considered(int index) {
        return new Allocation(nodes[index], run[index], wait[index]);
    }

    private void prepare(LevelRange range, int maxNodes) {
        int least = range.minNodes();
        if (maxNodes < least) {
            // Tells which task it is.
            range.millis(maxNodes);
            throw new InputException("the job needs " + least + " nodes, at most " + maxNodes + " are allowed");
        }
        count = maxNodes - least + 1;
        if (nodes.length < count) {
            int size = count + (count >> 1);
            nodes = new int[size];
            run = new long[size];
            wait = new long[size];
            end = new long[size];
            exact = new boolean[size];
            out = new boolean[size];
        }
        for (int i = 0; i < count; i++) {
            nodes[i] = least + i;
        }
    }

    private @Nullable Allocation search(LevelRange range, long delay, StartDelays waits, long before) {
        waits.starts(nodes, run, count, wait);
        for (int i = 0; i < count; i++) {
            end[i] = Allocation.end(delay, wait[i], run[i]);
            out[i] = wastes(range, i);
        }
        // Later ends are of no interest, unless it must be known whether all n are too wasteful.
        long latest = before == ANY_END || wasteBound < 1 ? ANY_END : before - 1;
        int best = best();
        while (best >= 0 && !exact[best] && end[best] <= latest) {
            long limit = latest == ANY_END ? LevelRange.NO_LIMIT : latest - Math.max(delay, wait[best]);
            long makespan = range.millis(nodes[best], limit);
            if (makespan < 0) {
                out[best] = true;
            } else {
                exact(range, best, makespan, delay, waits);
                latest = out[best] ? latest : Math.min(latest, end[best]);
            }
            best = best();
        }
        if (best < 0 && wasteBound == ANY_WASTE) {
            return null;
        }
        Allocation found = best < 0 ? fewest(range, waits) : considered(best);
        return before == ANY_END || found.end(delay) < before ? found : null;
    }

    /** Sets what is known of an n now that its run time is. */
    private void exact(LevelRange range, int i, long makespan, long delay, StartDelays waits) {
        exact[i] = true;
        if (makespan > run[i]) {
            run[i] = makespan;
            wait[i] = ask(waits, nodes[i], makespan);
            end[i] = Allocation.end(delay, wait[i], makespan);
            out[i] = wastes(range, i);
        }
    }

    private long ask(StartDelays waits, int n, long walltime) {
        oneNodes[0] = n;
        oneRun[0] = walltime;
        waits.starts(oneNodes, oneRun, 1, oneWait);
        return oneWait[0];
    }

    /** The n that ends earliest for all that is known, by the tie rule if there are several; −1 if there is none. */
    private int best() {
        int best = -1;
        for (int i = 0; i < count; i++) {
            if (!out[i]
                    && (best < 0 || end[i] < end[best] || (end[i] == end[best] && tie.wins(nodes[i], nodes[best])))) {
                best = i;
            }
        }
        return best;
    }

    /** Never true for a bound on the run time where it would not be for the run time: the left side grows with it, rounded or not. */
    private boolean wastes(LevelRange range, int i) {
        return wasteBound < 1 && (1 - wasteBound) * ((double) range.cores(nodes[i]) * run[i]) > range.work();
    }

    private Allocation fewest(LevelRange range, StartDelays waits) {
        long makespan = range.millis(nodes[0]);
        return new Allocation(nodes[0], makespan, ask(waits, nodes[0], makespan));
    }
}
