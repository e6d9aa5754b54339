package io.sheaf.strategy;

import io.sheaf.manager.View;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The pilot jobs that might be asked for now: node counts from one to as many as can be used, some ten to a power of ten, each for all that is
 * left and, once they are added, for shorter times, down to that of the longest ready task; the most nodes that would start at once; and, where nothing of ours is there, the count between
 * them that starts at once and ends before all of them.
 *
 * <p>Where a longer time on as many nodes starts as early, the shorter one is left out.
 */
final class Shapes {
    private static final double STEP = 1.3;
    private static final double LONG_STEP = 2;
    private static final int SHORTEST_PART = 16;
    private static final int HALVES = 2;
    private static final int QUARTERS = 4;

    /** Every count is looked at where that means placing no more tasks than this. */
    private static final long SOON_FOUND = 50_000;

    /** So many counts are looked at around the best. */
    private static final int AROUND = 12;

    private int count;
    private int[] nodes = new int[64];
    private long[] run = new long[64];
    private long[] wait = new long[64];
    /** The first so many are for all that is left. */
    private final int whole;

    private final long longestReady;
    private final Queue queue;
    /** How many times as long one is as the next shorter one. */
    private final int ratio;

    /** For what is left of some levels; in haste a few only. */
    Shapes(View view, LevelRange range, Rollout rollout, Queue queue, boolean hasty) {
        double step = hasty ? LONG_STEP : STEP;
        this.queue = queue;
        ratio = hasty ? QUARTERS : HALVES;
        long longest = 0;
        for (int task = view.nextReady(0); task >= 0; task = view.nextReady(task + 1)) {
            longest = Math.max(longest, Math.max(TaskOrder.millis(view.workflow(), task), view.atLeast(task)));
        }
        longestReady = longest;
        int most = Math.max(range.minNodes(), Math.min(view.nodes(), range.maxNodes()));
        for (int n = range.minNodes(); n <= most; n = next(n, most, step)) {
            add(n, rollout.alone(n));
        }
        addMostThatStartAtOnce(rollout);
        if (!hasty && view.pilotJobs() == 0) {
            addFirstBetween(rollout, (long) range.size() * most <= SOON_FOUND);
        }
        whole = count;
        askFrom(0);
    }

    /** Adds those for shorter times than all that is left takes. */
    void addShorter() {
        for (int i = 0; i < whole; i++) {
            for (int part = ratio; part <= SHORTEST_PART && run[i] / part > longestReady; part *= ratio) {
                add(nodes[i], run[i] / part);
            }
            if (longestReady > 0 && longestReady < run[i]) {
                add(nodes[i], longestReady);
            }
        }
        askFrom(whole);
    }

    /** Asks how long they would wait, from one of them on; where nothing is known they start at once. */
    private void askFrom(int first) {
        long[] waits = new long[count - first];
        if (queue.isKnown()) {
            queue.waits(
                    Arrays.copyOfRange(nodes, first, count),
                    Arrays.copyOfRange(run, first, count),
                    waits.length,
                    waits);
        }
        System.arraycopy(waits, 0, wait, first, waits.length);
    }

    private static int next(int n, int most, double step) {
        return n == most ? most + 1 : Math.min(most, Math.max(n + 1, (int) (n * step)));
    }

    /** Between the last count of nodes that starts at once and the next there may be more that do. */
    private void addMostThatStartAtOnce(Rollout rollout) {
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
            insert(last, most, rollout.alone(most));
        }
    }

    /**
     * Of the counts between those that there are, every one or some around the best, adds the one that starts at once and ends before all of them, if there is one. One that would have to
     * wait is not worth its nodes for the little that it would end earlier, by what is foreseen.
     */
    private void addFirstBetween(Rollout rollout, boolean every) {
        queue.waits(nodes, run, count, wait);
        int first = 0;
        for (int i = 1; i < count; i++) {
            first = wait[i] + run[i] < wait[first] + run[first] ? i : first;
        }
        int from = every ? nodes[0] : nodes[Math.max(0, first - 1)];
        int to = every ? nodes[count - 1] : nodes[Math.min(count - 1, first + 1)];
        int step = every ? 1 : Math.max(1, (to - from) / AROUND);
        int[] between =
                IntStream.iterate(from + step, n -> n < to, n -> n + step).toArray();
        long[] runs = IntStream.of(between).mapToLong(rollout::alone).toArray();
        long[] waits = new long[between.length];
        queue.waits(between, runs, between.length, waits);
        long end = wait[first] + run[first];
        int best = -1;
        for (int i = 0; i < between.length; i++) {
            if (waits[i] == 0 && runs[i] < end) {
                end = runs[i];
                best = i;
            }
        }
        if (best >= 0) {
            int found = Arrays.binarySearch(nodes, 0, count, between[best]);
            insert(-found - 1, between[best], runs[best]);
        }
    }

    private void insert(int at, int n, long time) {
        add(n, time);
        System.arraycopy(nodes, at, nodes, at + 1, count - 1 - at);
        System.arraycopy(run, at, run, at + 1, count - 1 - at);
        nodes[at] = n;
        run[at] = time;
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
