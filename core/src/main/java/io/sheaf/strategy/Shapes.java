package io.sheaf.strategy;

import io.sheaf.manager.View;
import java.util.Arrays;

/**
 * The placeholders that might be asked for now: node counts from one to as many as can be used, some ten to a power of ten, each for all that is
 * left and for shorter times, down to that of the longest ready task; and the most nodes that would start at once.
 *
 * <p>Where a longer time on as many nodes starts as early, the shorter one is left out.
 */
final class Shapes {
    private static final double STEP = 1.3;
    private static final double LONG_STEP = 2;
    private static final int SHORTEST_PART = 16;
    private static final int HALVES = 2;
    private static final int QUARTERS = 4;

    private int count;
    private int[] nodes = new int[64];
    private long[] run = new long[64];
    private long[] wait = new long[64];
    /** The first so many are for all that is left. */
    private final int whole;

    private final long longestReady;

    /** For what is left of some levels; in haste a few only. */
    Shapes(View view, LevelRange range, Rollout rollout, Queue queue, boolean hasty) {
        double step = hasty ? LONG_STEP : STEP;
        int ratio = hasty ? QUARTERS : HALVES;
        long longest = 0;
        for (int task = view.nextReady(0); task >= 0; task = view.nextReady(task + 1)) {
            longest = Math.max(longest, TaskOrder.millis(view.workflow(), task));
        }
        longestReady = longest;
        int most = Math.max(range.minNodes(), Math.min(view.nodes(), range.maxNodes()));
        for (int n = range.minNodes(); n <= most; n = next(n, most, step)) {
            add(n, rollout.alone(n));
        }
        addMostThatStartAtOnce(queue, rollout);
        whole = count;
        for (int i = 0; i < whole; i++) {
            for (int part = ratio; part <= SHORTEST_PART && run[i] / part > longestReady; part *= ratio) {
                add(nodes[i], run[i] / part);
            }
            if (longestReady > 0 && longestReady < run[i]) {
                add(nodes[i], longestReady);
            }
        }
        queue.waits(nodes, run, count, wait);
    }

    private static int next(int n, int most, double step) {
        return n == most ? most + 1 : Math.min(most, Math.max(n + 1, (int) (n * step)));
    }

    /** Between the last count of nodes that starts at once and the next there may be more that do. */
    private void addMostThatStartAtOnce(Queue queue, Rollout rollout) {
        queue.waits(nodes, run, count, wait);
        int last = 0;
        while (last < count && wait[last] == 0) {
            last++;
        }
        if (last == 0 || last == count) {
            return;
        }
        int most = nodes[last - 1];
        int tooMany = nodes[last];
        while (tooMany - most > 1) {
            int middle = (most + tooMany) >>> 1;
            if (queue.waitFor(middle, rollout.alone(middle)) == 0) {
                most = middle;
            } else {
                tooMany = middle;
            }
        }
        if (most > nodes[last - 1]) {
            add(0, 0);
            System.arraycopy(nodes, last, nodes, last + 1, count - 1 - last);
            System.arraycopy(run, last, run, last + 1, count - 1 - last);
            nodes[last] = most;
            run[last] = rollout.alone(most);
        }
    }

    private void add(int n, long time) {
        if (count == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * count);
            run = Arrays.copyOf(run, 2 * count);
            wait = Arrays.copyOf(wait, 2 * count);
        }
        nodes[count] = n;
        run[count++] = time;
    }

    /** Nothing is known of waits. */
    void startAtOnce() {
        Arrays.fill(wait, 0);
    }

    int size() {
        return count;
    }

    int nodes(int i) {
        return nodes[i];
    }

    /** What it is asked for, without what the profile adds. */
    long run(int i) {
        return run[i];
    }

    /** How long it would wait. */
    long queueWait(int i) {
        return wait[i];
    }

    /** The run time of the longest task that is ready; 0 if none is. */
    long longestReady() {
        return longestReady;
    }

    /** Of those for all that is left, the one that ends first. */
    int first() {
        int first = 0;
        for (int i = 1; i < whole; i++) {
            first = wait[i] + run[i] < wait[first] + run[first] ? i : first;
        }
        return first;
    }

    /** Of those for all that is left and that end not much later than the first, the one of least cost, where node time has a price. */
    int best(double nodePrice, double patience) {
        int first = first();
        int best = first;
        for (int i = 0; i < whole; i++) {
            boolean inTime = wait[i] + run[i] <= (1 + patience) * (wait[first] + run[first]);
            best = inTime && cost(i, nodePrice) < cost(best, nodePrice) ? i : best;
        }
        return best;
    }

    /** The fewest nodes on which a shape for all that is left takes no longer; of another one as many as it has. */
    int fewest(int i, Rollout rollout) {
        if (i == 0 || i >= whole) {
            return nodes[i];
        }
        int tooFew = nodes[i - 1];
        int enough = nodes[i];
        while (enough - tooFew > 1) {
            int middle = (tooFew + enough) >>> 1;
            if (rollout.alone(middle) <= run[i]) {
                enough = middle;
            } else {
                tooFew = middle;
            }
        }
        return enough;
    }

    private double cost(int i, double nodePrice) {
        return wait[i] + run[i] * (1 + nodePrice * nodes[i]);
    }

    /** Whether another one has as many nodes for longer and starts no later. */
    boolean isDominated(int i) {
        for (int j = 0; j < count; j++) {
            boolean longer = run[j] > run[i] || (run[j] == run[i] && j < i);
            if (nodes[j] == nodes[i] && wait[j] <= wait[i] && longer) {
                return true;
            }
        }
        return false;
    }
}
