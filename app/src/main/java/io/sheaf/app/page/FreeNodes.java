package io.sheaf.app.page;

import io.sheaf.batch.InstantHeap;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** The free nodes of a cluster by number. */
public final class FreeNodes {
    /** Intervals from their first nodes to behind their last ones; no two touch. */
    private final TreeMap<Integer, Integer> intervals = new TreeMap<>();

    private FreeNodes(int nodes) {
        intervals.put(0, nodes);
    }

    /**
     * Node numbers for drawing jobs that schedulers count without numbering their nodes. In order of their starts, each gets the lowest free
     * block that fits, or else the lowest free nodes.
     *
     * @return the ranges of each job as first, length, first, length …; none if its end is not after its start
     */
    public static int[][] place(
            int nodes, int jobs, IntUnaryOperator sizes, IntToLongFunction starts, IntToLongFunction ends) {
        FreeNodes free = new FreeNodes(nodes);
        InstantHeap running = new InstantHeap();
        int[][] ranges = new int[jobs][0];
        int[] order = IntStream.range(0, jobs)
                .filter(job -> ends.applyAsLong(job) > starts.applyAsLong(job))
                .boxed()
                .sorted(Comparator.comparingLong(starts::applyAsLong))
                .mapToInt(job -> job)
                .toArray();
        for (int job : order) {
            while (running.first() <= starts.applyAsLong(job)) {
                int[] ended = ranges[running.remove()];
                for (int i = 0; i < ended.length; i += 2) {
                    free.free(ended[i], ended[i + 1]);
                }
            }
            IntStream.Builder taken = IntStream.builder();
            free.allocate(sizes.applyAsInt(job), taken);
            ranges[job] = taken.build().toArray();
            running.add(ends.applyAsLong(job), job, job);
        }
        return ranges;
    }

    /** Takes the lowest contiguous block that fits, else the lowest free nodes. */
    private void allocate(int nodes, IntStream.Builder ranges) {
        for (Map.Entry<Integer, Integer> each : intervals.entrySet()) {
            if (each.getValue() - each.getKey() >= nodes) {
                take(each.getKey(), nodes, ranges);
                return;
            }
        }
        int missing = nodes;
        while (missing > 0) {
            Map.Entry<Integer, Integer> lowest = intervals.firstEntry();
            if (lowest == null) {
                throw new IllegalStateException(missing + " more nodes are in use than the cluster has");
            }
            int taken = Math.min(missing, lowest.getValue() - lowest.getKey());
            take(lowest.getKey(), taken, ranges);
            missing -= taken;
        }
    }

    private void take(int first, int nodes, IntStream.Builder ranges) {
        ranges.add(first).add(nodes);
        int end = Objects.requireNonNull(intervals.remove(first));
        if (first + nodes < end) {
            intervals.put(first + nodes, end);
        }
    }

    private void free(int first, int length) {
        Map.Entry<Integer, Integer> below = intervals.lowerEntry(first);
        int from = below != null && below.getValue() == first ? below.getKey() : first;
        Integer end = intervals.remove(first + length);
        intervals.put(from, end == null ? first + length : end);
    }
}
