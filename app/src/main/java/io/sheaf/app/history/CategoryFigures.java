package io.sheaf.app.history;

import java.util.ArrayList;
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
        String workflow, String category, int failed, int lost, List<Long> times, List<Long> memory) {
    /** Where nothing is known. */
    public static final long UNKNOWN = -1;

    private static final int PERCENT = 100;

    public CategoryFigures {
        times = List.copyOf(times);
        memory = List.copyOf(memory);
    }

    /** How an attempt ended. */
    public enum End {
        DONE,
        FAILED,
        LOST
    }

    /** An attempt; memory is {@link #UNKNOWN}, or 0, where nobody looked before it ended. */
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
        List<Long> times = kind.stream()
                .filter(each -> each.end == End.DONE)
                .map(Attempt::millis)
                .sorted()
                .toList();
        List<Long> memory = kind.stream()
                .filter(each -> each.end == End.DONE && each.memory > 0)
                .map(Attempt::memory)
                .sorted()
                .toList();
        return new CategoryFigures(
                kind.get(0).workflow,
                kind.get(0).category,
                (int) kind.stream().filter(each -> each.end == End.FAILED).count(),
                (int) kind.stream().filter(each -> each.end == End.LOST).count(),
                times,
                memory);
    }

    public int done() {
        return times.size();
    }

    /** A percentile of the run times of attempts. */
    public long time(int percent) {
        return quantile(times, percent);
    }

    /** The same of memory. */
    public long memory(int percent) {
        return quantile(memory, percent);
    }

    private static long quantile(List<Long> sorted, int percent) {
        int rank = Math.max(1, (sorted.size() * percent + PERCENT - 1) / PERCENT);
        return sorted.isEmpty() ? UNKNOWN : sorted.get(rank - 1);
    }
}
