package io.sheaf.strategy;

import io.sheaf.text.InputException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the number of nodes with which some levels of a workflow end earliest: the n with the least max(delay, wait(n, run(n))) + run(n).
 *
 * <p>This is PickBestNumNodes of GLUME (Glume thesis, Algorithm 3). OneJob, LevelByLevel and Zhang's second enhancement make the same choice. Two
 * forms give the same answer. {@link #exhaustive} evaluates every n, as the publications do, and keeps all estimates for reading. {@link #prunedBefore}
 * computes few run times:
 *
 * <p>It keeps a lower bound of the end for each n, from a bound on the run time and the wait of that bound. It repeatedly selects the n with the
 * earliest bound. If its run time is known, it is the answer; otherwise its run time is computed and its bound increases. This is exact if <em>for a
 * given n a longer job never starts earlier</em>. That holds for searches in a fixed plan, such as the promises of conservative backfilling, with any
 * monotone margin on the walltime. It need not hold for a forecast that simulates the queue: use the exhaustive form with it.
 *
 * <p>Reuses its work memory: one instance serves one thread.
 */
public final class Allocations {
    /** No limit on the end. */
    static final long ANY_END = Long.MAX_VALUE;

    private final TieRule tie;
    private int count;
    private int[] nodes = {};
    private long[] run = {};
    private long[] wait = {};
    /** Lower bound of the end. */
    private long[] end = {};

    private boolean[] exact = {};
    /** Known to end too late. */
    private boolean[] out = {};

    private final int[] oneNodes = new int[1];
    private final long[] oneRun = new long[1];
    private final long[] oneWait = new long[1];

    public Allocations(TieRule tie) {
        this.tie = tie;
    }

    /** Evaluates all n up to a maximum. */
    public Allocation exhaustive(LevelRange range, long delay, int maxNodes, StartDelays waits) {
        prepare(range, maxNodes);
        for (int i = 0; i < count; i++) {
            run[i] = range.millis(nodes[i]);
            exact[i] = true;
        }
        return Objects.requireNonNull(search(range, delay, waits, ANY_END));
    }

    /**
     * The same answer with fewer run times if it ends before a date (from now, as {@link Allocation#end}), otherwise null; requires waits that are not
     * shorter for longer jobs.
     */
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

    // --- the candidates of the last exhaustive search ---

    public Allocation considered(int index) {
        return new Allocation(nodes[index], run[index], wait[index]);
    }

    private void prepare(LevelRange range, int maxNodes) {
        int min = range.minNodes();
        if (maxNodes < min) {
            // Reports the task that does not fit.
            range.millis(maxNodes);
            throw new InputException("the job needs " + min + " nodes, at most " + maxNodes + " are allowed");
        }
        count = maxNodes - min + 1;
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
            nodes[i] = min + i;
        }
    }

    private @Nullable Allocation search(LevelRange range, long delay, StartDelays waits, long before) {
        waits.starts(nodes, run, count, wait);
        for (int i = 0; i < count; i++) {
            end[i] = Allocation.end(delay, wait[i], run[i]);
            out[i] = false;
        }
        // Later ends are irrelevant.
        long latest = before == ANY_END ? ANY_END : before - 1;
        int best = best();
        while (best >= 0 && !exact[best] && end[best] <= latest) {
            long limit = latest == ANY_END ? LevelRange.NO_LIMIT : latest - Math.max(delay, wait[best]);
            long makespan = range.millis(nodes[best], limit);
            if (makespan < 0) {
                out[best] = true;
            } else {
                exact(best, makespan, delay, waits);
                latest = Math.min(latest, end[best]);
            }
            best = best();
        }
        return best >= 0 && (before == ANY_END || end[best] < before) ? considered(best) : null;
    }

    /** Updates an n with its exact run time. */
    private void exact(int i, long makespan, long delay, StartDelays waits) {
        exact[i] = true;
        if (makespan > run[i]) {
            run[i] = makespan;
            wait[i] = queueWait(waits, nodes[i], makespan);
            end[i] = Allocation.end(delay, wait[i], makespan);
        }
    }

    private long queueWait(StartDelays waits, int n, long walltime) {
        oneNodes[0] = n;
        oneRun[0] = walltime;
        waits.starts(oneNodes, oneRun, 1, oneWait);
        return oneWait[0];
    }

    /** The n with the earliest lower bound, by the tie rule if there are several; −1 if there is none. */
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
}
