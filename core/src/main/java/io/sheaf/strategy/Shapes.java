package io.sheaf.strategy;

import io.sheaf.batch.Pools;
import io.sheaf.manager.View;
import io.sheaf.workflow.BinarySearch;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The jobs that {@link Auto} might submit now: node counts × run times, with their queue waits.
 *
 * <p>Node counts grow from the minimum to the maximum that can be used, about ten to a power of ten. Beside them are the greatest count that would start at once and, where the run has no job yet, the
 * count between the others that starts at once and ends before all of them. Each is for all unfinished tasks, and those that a program expects to submit after them; {@link #withShorter} adds shorter
 * times, down to the longest ready task. {@link #forGaps} are those for shorter ready tasks.
 *
 * <p>In a cluster with pools, each shape is for the pool where it starts first. Beside it are shapes in cheaper pools, and in those whose limit is shorter, cut to it.
 *
 * <p>Where these tasks need longer than the maximum walltime, a shape is cut to it: the first of a chain of equal jobs, whose queue waits count behind it.
 */
final class Shapes {
    private static final double STEP = 1.3;
    private static final double LONG_STEP = 2;
    private static final int SHORTEST_PART = 16;
    private static final int HALVES = 2;
    private static final int QUARTERS = 4;

    /** A quartile makes shapes of its own if it is at most this part of the next longer one. */
    private static final double DIFFERENT = 0.9;

    /** The maximum number of tasks that are placed to find a node count between the others. */
    private static final int MAX_PLACED = 50_000;

    private final Queue queue;
    private final Pools pools;
    private final Rollout rollout;
    /** How many times as long a shape is as the next shorter one. */
    private final int ratio;

    /** The run times of the ready tasks, ascending. */
    private final long[] readyRuns;

    private int count;
    private int[] nodes;
    private long[] run;
    private long[] wait;
    /** The pool of each shape: that where it starts first, unless it is bound to another. */
    private int[] pool;
    /** Until all unfinished tasks end, from the start of the first job of a chain on. */
    private long[] total;
    /** The number of shapes for all unfinished tasks, which come first. */
    private int whole;

    private Shapes(Queue queue, Rollout rollout, int ratio, long[] readyRuns, int size) {
        this.queue = queue;
        this.rollout = rollout;
        pools = queue.view.pools();
        this.ratio = ratio;
        this.readyRuns = readyRuns;
        nodes = new int[size];
        run = new long[size];
        wait = new long[size];
        pool = new int[size];
        total = new long[size];
    }

    /**
     * Shapes for all unfinished tasks, in order of nodes.
     *
     * @param range the unfinished levels
     * @param hasty whether only a few shapes are made
     */
    static Shapes forAll(View view, LevelRange range, Rollout rollout, Queue queue, boolean hasty) {
        Shapes shapes = new Shapes(queue, rollout, hasty ? QUARTERS : HALVES, readyRuns(view), 64);
        int least = rollout.minNodes(range);
        int most = Math.max(least, Math.min(view.nodes(), rollout.maxNodes(range)));
        double step = hasty ? LONG_STEP : STEP;
        for (int n = least; n <= most; n = next(n, most, step)) {
            shapes.add(n, shapes.cut(n));
        }
        shapes.addMostThatStartAtOnce();
        if (!hasty && view.pilotJobs() == 0) {
            shapes.addFirstBetween(Math.max(1, MAX_PLACED / range.size()));
        }
        shapes.whole = shapes.count;
        shapes.estimateWaits(0);
        shapes.chain();
        return shapes;
    }

    private static long[] readyRuns(View view) {
        return view.readyTasks()
                .mapToLong(task -> Math.max(view.workflow().timeMillis(task), view.atLeast(task)))
                .sorted()
                .toArray();
    }

    /** These shapes, and behind them shorter ones of the same nodes. */
    Shapes withShorter() {
        Shapes all = new Shapes(queue, rollout, ratio, readyRuns, nodes.length);
        System.arraycopy(wait, 0, all.wait, 0, whole);
        System.arraycopy(pool, 0, all.pool, 0, whole);
        System.arraycopy(total, 0, all.total, 0, whole);
        all.whole = whole;
        for (int i = 0; i < whole; i++) {
            all.add(nodes[i], run[i], pool[i]);
        }
        for (int i = 0; i < whole; i++) {
            for (int part = ratio; part <= SHORTEST_PART && run[i] / part > longestReady(); part *= ratio) {
                all.add(nodes[i], run[i] / part);
            }
            if (longestReady() > 0 && longestReady() < run[i]) {
                all.add(nodes[i], longestReady());
            }
            addOtherPools(all, i);
        }
        all.estimateWaits(whole);
        return all;
    }

    /**
     * Shapes that start at once and are too short for the longest ready task: they fill gaps in the queue with shorter ones. Their times are quartiles of those of ready tasks; none has more
     * nodes than the ready tasks that fit.
     */
    Shapes forGaps() {
        Shapes gaps = new Shapes(queue, rollout, ratio, readyRuns, nodes.length);
        long longer = longestReady();
        for (int quarter = QUARTERS - 1; quarter > 0; quarter--) {
            int tasks = (readyRuns.length * quarter + QUARTERS - 1) / QUARTERS;
            long time = tasks == 0 ? 0 : readyRuns[tasks - 1];
            if (time > 0 && time <= DIFFERENT * longer) {
                longer = time;
                gaps.addThatStartAtOnce(nodes, whole, (long) tasks * nodes[0], time);
            }
        }
        return gaps;
    }

    /** Adds shapes of a time on ascending node counts up to a limit, as long as they start at once. */
    private void addThatStartAtOnce(int[] counts, int size, long most, long time) {
        for (int i = 0; i < size && counts[i] <= most && queue.waitFor(counts[i], time) == 0; i++) {
            add(counts[i], time, queue.pool(0));
        }
    }

    /** Adds a shape in each pool that is cheaper, whose nodes differ, or whose limit is shorter than the shape, cut to it. */
    private void addOtherPools(Shapes all, int i) {
        for (int number = 1; number <= pools.count(); number++) {
            boolean other = !pools.hasAsMuch(pool[i], number) || !pools.hasAsMuch(number, pool[i]);
            long longest = queue.longestRunIn(number, nodes[i]);
            long most = Math.min(run[i], longest);
            boolean cheaper = price(number) < price(pool[i]);
            if (number == pool[i] || nodes[i] > pools.pool(number).size() || most <= 0) {
                continue;
            }
            if (other) {
                // Smaller nodes need longer.
                all.add(nodes[i], Math.min(rollout.alone(nodes[i], number), longest), number);
            } else if (cheaper || most < run[i]) {
                all.add(nodes[i], most, number);
            }
        }
    }

    private double price(int number) {
        return number == Pools.ANY ? 1 : pools.pool(number).price();
    }

    /** The run time of a job for all unfinished and expected tasks on some nodes, or of the first of a chain. */
    private long cut(int n) {
        View view = queue.view;
        long later = view.expected().stream()
                .mapToLong(each -> each.millis(n, view.coresPerNode()))
                .sum();
        return Math.min(rollout.alone(n) + later, queue.longestRun(n));
    }

    /** The time from the start of a shape to the end of all unfinished tasks. */
    private long total(int n, long time, long queueWait) {
        long longestRun = queue.longestRun(n);
        if (time < longestRun || rollout.alone(n) <= longestRun) {
            return time;
        }
        return queueWait >= Rollout.NEVER ? Rollout.NEVER : rollout.chained(n, queue.view.walltime(n), queueWait);
    }

    private void chain() {
        for (int i = 0; i < whole; i++) {
            total[i] = total(nodes[i], run[i], wait[i]);
        }
    }

    /** Estimates the queue waits of the shapes from one on; without estimates they start at once. */
    private void estimateWaits(int first) {
        long[] waits = new long[count - first];
        if (queue.isKnown()) {
            queue.waits(
                    Arrays.copyOfRange(pool, first, count),
                    Arrays.copyOfRange(nodes, first, count),
                    Arrays.copyOfRange(run, first, count),
                    waits.length,
                    waits);
            for (int i = first; i < count; i++) {
                pool[i] = queue.pool(i - first);
            }
        }
        System.arraycopy(waits, 0, wait, first, waits.length);
    }

    private static int next(int n, int most, double step) {
        return n == most ? most + 1 : Math.min(most, Math.max(n + 1, (int) (n * step)));
    }

    /** Adds the greatest node count that starts at once, which may lie between two that are there. */
    private void addMostThatStartAtOnce() {
        queue.waits(nodes, run, count, wait);
        int last = 0;
        while (last < count && wait[last] == 0) {
            last++;
        }
        if (last == 0 || last == count) {
            return;
        }
        int most = BinarySearch.last(nodes[last - 1], nodes[last], n -> queue.waitFor(n, cut(n)) == 0);
        if (most > nodes[last - 1]) {
            insert(last, most, cut(most));
        }
    }

    /**
     * Adds the node count between those that are there that starts at once and ends before all of them, if there is one. A count that would have to wait is not added: it would end only a
     * little earlier, by an estimate.
     *
     * <p>A job takes no less time than on the next greater count that is there. Only counts that would start at once with that time are simulated, the greatest first.
     *
     * @param most the maximum number of counts to simulate
     */
    private void addFirstBetween(int most) {
        queue.waits(nodes, run, count, wait);
        whole = count;
        chain();
        int first = first();
        long end = wait[first] + total[first];
        int best = -1;
        int tried = 0;
        for (int i = count - 1; i > 0 && tried < most; i--) {
            int gap = nodes[i] - nodes[i - 1] - 1;
            if (gap == 0 || wait[i] == 0 || rollout.alone(nodes[i]) >= end) {
                continue;
            }
            int greatest = nodes[i] - 1;
            int[] between = IntStream.range(0, gap).map(k -> greatest - k).toArray();
            long[] waits = new long[gap];
            long[] least = new long[gap];
            Arrays.fill(least, run[i]);
            queue.waits(between, least, gap, waits);
            for (int k = 0; k < gap && tried < most; k++) {
                if (waits[k] > 0) {
                    continue;
                }
                tried++;
                long time = cut(between[k]);
                if (queue.waitFor(between[k], time) == 0) {
                    long until = total(between[k], time, 0);
                    best = until < end ? between[k] : best;
                    end = Math.min(end, until);
                    break;
                }
            }
        }
        if (best >= 0) {
            int at = -Arrays.binarySearch(nodes, 0, count, best) - 1;
            insert(at, best, cut(best));
            whole = count;
            nodes[at] = fewest(at);
            run[at] = cut(nodes[at]);
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
        add(n, time, Pools.ANY);
    }

    private void add(int n, long time, int number) {
        if (count == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * count);
            run = Arrays.copyOf(run, 2 * count);
            wait = Arrays.copyOf(wait, 2 * count);
            pool = Arrays.copyOf(pool, 2 * count);
            total = Arrays.copyOf(total, 2 * count);
        }
        nodes[count] = n;
        pool[count] = number;
        run[count++] = time;
    }

    int size() {
        return count;
    }

    int nodes(int i) {
        return nodes[i];
    }

    /** The run time, without the margin that the profile adds, in milliseconds. */
    long run(int i) {
        return run[i];
    }

    /** The time from its start to the end of all unfinished tasks, by a chain of such jobs if it is cut; for the shapes for all of them. */
    long total(int i) {
        return total[i];
    }

    /** The number of its pool; {@link Pools#ANY} if there is none. */
    int pool(int i) {
        return pool[i];
    }

    /** The queue wait, in milliseconds. */
    long queueWait(int i) {
        return wait[i];
    }

    /** The run times of the ready tasks, ascending. */
    long[] readyRuns() {
        return readyRuns;
    }

    /** The run time of all unfinished tasks on the most nodes that they can use, without a limit of walltimes. */
    long fastest() {
        return rollout.alone(nodes[whole - 1]);
    }

    /** The run time of the longest task that is ready; 0 if none is. */
    long longestReady() {
        return readyRuns.length == 0 ? 0 : readyRuns[readyRuns.length - 1];
    }

    /** The shape for all unfinished tasks that ends first. */
    int first() {
        int first = 0;
        for (int i = 1; i < whole; i++) {
            first = wait[i] + total[i] < wait[first] + total[first] ? i : first;
        }
        return first;
    }

    /** Of the shapes for all unfinished tasks that end not much later than the first, the one of least cost at a price for node time. */
    int best(double nodePrice, double patience) {
        int first = first();
        int best = first;
        for (int i = 0; i < whole; i++) {
            boolean inTime = wait[i] + total[i] <= (1 + patience) * (wait[first] + total[first]);
            best = inTime && cost(i, nodePrice) < cost(best, nodePrice) ? i : best;
        }
        return best;
    }

    /** The fewest nodes on which a shape for all unfinished tasks takes no longer; of a shorter one its nodes. */
    int fewest(int i) {
        if (i == 0 || i >= whole) {
            return nodes[i];
        }
        return 1 + BinarySearch.last(nodes[i - 1], nodes[i], n -> rollout.alone(n) > run[i]);
    }

    private double cost(int i, double nodePrice) {
        return wait[i] + total[i] * (1 + nodePrice * nodes[i] * price(pool[i]));
    }

    /** Whether another shape has as many nodes for longer, starts no later and is no dearer. */
    boolean isDominated(int i) {
        for (int j = 0; j < count; j++) {
            boolean longer = run[j] > run[i] || (run[j] == run[i] && j < i);
            if (nodes[j] == nodes[i]
                    && wait[j] <= wait[i]
                    && longer
                    && price(pool[j]) <= price(pool[i])
                    && pools.hasAsMuch(pool[j], pool[i])) {
                return true;
            }
        }
        return false;
    }
}
