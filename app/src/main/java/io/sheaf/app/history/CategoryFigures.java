package io.sheaf.app.history;

import io.sheaf.predict.MemoryUse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The run times and memory use of a task category's attempts; times in milliseconds, memory in bytes.
 *
 * @param workflow the name of the workflow
 * @param lost attempts that were killed or stopped, or whose node was lost
 * @param times run times of successful attempts, ascending
 * @param memory known values of memory use, ascending
 * @param requested the maximum memory request of its tasks; 0 if there is none
 */
public record CategoryFigures(
        String workflow, String category, int failed, int lost, List<Long> times, List<Long> memory, long requested) {
    /** An unknown value. */
    public static final long UNKNOWN = -1;

    private static final int PERCENT = 100;

    /** The category for display: recorded times of a category whose command changed are distinguished by the command's digest. */
    String label() {
        return category.replaceFirst("@([0-9a-f]+)$", ", command $1");
    }

    /** How an attempt ended. */
    public enum End {
        DONE,
        FAILED,
        LOST
    }

    /** An attempt; memory is {@link #UNKNOWN} or 0 if it ended before the first measurement, the request 0 if there was none. */
    public record AttemptFigures(String workflow, String category, End end, long millis, long memory, long requested) {}

    /** Groups attempts by workflow and category, sorted by name. */
    public static List<CategoryFigures> of(List<AttemptFigures> attempts) {
        Map<String, List<AttemptFigures>> byKind = attempts.stream()
                .collect(Collectors.groupingBy(
                        each -> each.workflow + "\n" + each.category, TreeMap::new, Collectors.toList()));
        return byKind.values().stream().map(CategoryFigures::figuresOf).toList();
    }

    private static CategoryFigures figuresOf(List<AttemptFigures> kind) {
        List<Long> times = kind.stream()
                .filter(each -> each.end == End.DONE)
                .map(AttemptFigures::millis)
                .sorted()
                .toList();
        List<Long> memory = kind.stream()
                .filter(each -> each.end == End.DONE && each.memory > 0)
                .map(AttemptFigures::memory)
                .sorted()
                .toList();
        return new CategoryFigures(
                kind.get(0).workflow,
                kind.get(0).category,
                (int) kind.stream().filter(each -> each.end == End.FAILED).count(),
                (int) kind.stream().filter(each -> each.end == End.LOST).count(),
                times,
                memory,
                kind.stream().mapToLong(AttemptFigures::requested).max().orElse(0));
    }

    /** The memory request that the peaks of attempts suggest; 0 if they are too few. */
    public long suggested() {
        return MemoryUse.suggested(memory);
    }

    public int done() {
        return times.size();
    }

    /** A percentile of the run times of attempts. */
    public long time(int percent) {
        return quantile(times, percent);
    }

    /** A percentile of the memory use of attempts. */
    public long memory(int percent) {
        return quantile(memory, percent);
    }

    private static long quantile(List<Long> sorted, int percent) {
        int rank = Math.max(1, (sorted.size() * percent + PERCENT - 1) / PERCENT);
        return sorted.isEmpty() ? UNKNOWN : sorted.get(rank - 1);
    }
}
