package io.sheaf.app.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the attempts of a category of tasks took; times in milliseconds, memory in bytes.
 *
 * @param workflow the tasks' workflow by name
 * @param lost attempts that were cut off or stopped, or whose node was lost
 * @param times of those that succeeded, ascending
 * @param memory of those of which it is known, ascending
 */
public record CategoryFigures(
        String workflow, String category, int failed, int lost, long[] times, long[] memory) {
    /** Where nothing is known. */
    public static final long UNKNOWN = -1;

    private static final int PERCENT = 100;

    /** How an attempt ended. */
    public enum End {
        DONE,
        FAILED,
        LOST
    }

    /** An attempt; memory is {@link #UNKNOWN} where nobody looked. */
    public record Attempt(String workflow, String category, End end, long millis, long memory) {}

    /** The attempts by workflow and category, in the order of their names. */
    public static List<CategoryFigures> of(List<Attempt> attempts) {
        Map<String, List<Attempt>> byKind = new TreeMap<>();
        for (Attempt each : attempts) {
            byKind.computeIfAbsent(each.workflow + "\n" + each.category, kind -> new ArrayList<>())
                    .add(each);
        }
        List<CategoryFigures> figures = new ArrayList<>();
        byKind.values().forEach(kind -> figures.add(figuresOf(kind)));
        return figures;
    }

    private static CategoryFigures figuresOf(List<Attempt> kind) {
        long[] times = kind.stream()
                .filter(each -> each.end == End.DONE)
                .mapToLong(Attempt::millis)
                .sorted()
                .toArray();
        long[] memory = kind.stream()
                .filter(each -> each.end == End.DONE && each.memory != UNKNOWN)
                .mapToLong(Attempt::memory)
                .sorted()
                .toArray();
        return new CategoryFigures(
                kind.get(0).workflow,
                kind.get(0).category,
                (int) kind.stream().filter(each -> each.end == End.FAILED).count(),
                (int) kind.stream().filter(each -> each.end == End.LOST).count(),
                times,
                memory);
    }

    public int done() {
        return times.length;
    }

    /** The least time that so many percent of the attempts did not exceed. */
    public long time(int percent) {
        return quantile(times, percent);
    }

    /** The same of memory. */
    public long memory(int percent) {
        return quantile(memory, percent);
    }

    private static long quantile(long[] sorted, int percent) {
        int rank = Math.max(1, (sorted.length * percent + PERCENT - 1) / PERCENT);
        return sorted.length == 0 ? UNKNOWN : sorted[rank - 1];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CategoryFigures that
                && workflow.equals(that.workflow)
                && category.equals(that.category)
                && failed == that.failed
                && lost == that.lost
                && Arrays.equals(times, that.times)
                && Arrays.equals(memory, that.memory);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(times) * 31 + category.hashCode();
    }

    @Override
    public String toString() {
        return workflow + "/" + category + ": " + done() + " done";
    }
}
