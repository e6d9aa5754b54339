package io.sheaf.predict;

import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Memory requests from the measured peaks of earlier attempts of a category: a quantile of the peaks and a margin of a quarter, rounded up.
 *
 * <p>Where the size of the inputs predicts peaks better, the request of a task follows from it ({@link PeaksBySize}).
 *
 * <p>Peaks are sampled, and inputs grow: without the margin, one in twenty tasks would be killed. Categories with few measured attempts have no
 * suggestion.
 */
public final class MemoryUse {
    /** The quantile of the peaks, in per cent. */
    public static final int QUANTILE = 95;

    /** A request of at least this multiple of the suggestion is worth advice. */
    public static final int FAR = 2;

    private static final int MIN_ATTEMPTS = 5;
    private static final double MARGIN = 1.25;
    private static final long UNIT = 64L << 20;
    private static final int PARTS = 8;

    private final Map<String, List<Long>> peaks = new HashMap<>();
    private final Map<String, List<TaskRecord>> sized = new HashMap<>();
    private final Map<String, @Nullable PeaksBySize> bySize = new HashMap<>();

    /** Adds an attempt; those that failed or were not measured do not count. */
    public void learn(TaskRecord record) {
        if (!record.failed() && record.memoryBytes() > 0) {
            peaks.computeIfAbsent(record.category(), each -> new ArrayList<>()).add(record.memoryBytes());
            if (record.inputBytes() > 0) {
                sized.computeIfAbsent(record.category(), each -> new ArrayList<>())
                        .add(record);
                bySize.remove(record.category());
            }
        }
    }

    /** The suggested request of a category, in bytes; 0 if there is none. */
    public long suggested(String category) {
        return suggested(peaks.getOrDefault(category, List.of()));
    }

    /**
     * The suggested request of a task of a category with inputs of some size, in bytes; 0 if there is none.
     *
     * @param inputBytes {@link TaskRecord#UNKNOWN} if the size is not known
     */
    public long suggested(String category, long inputBytes) {
        if (!bySize.containsKey(category)) {
            bySize.put(category, PeaksBySize.of(sized.getOrDefault(category, List.of())));
        }
        PeaksBySize line = bySize.get(category);
        return line == null || inputBytes <= 0
                ? suggested(category)
                : roundedUp((long) Math.ceil(line.peak((double) inputBytes) * MARGIN));
    }

    /** The suggested request from the peaks of attempts, in bytes; 0 if they are too few. */
    public static long suggested(List<Long> measured) {
        if (measured.size() < MIN_ATTEMPTS) {
            return 0;
        }
        List<Long> sorted = new ArrayList<>(measured);
        Collections.sort(sorted);
        int rank = (sorted.size() * QUANTILE + 99) / 100;
        return roundedUp((long) Math.ceil(sorted.get(rank - 1) * MARGIN));
    }

    /** To a multiple of 64 MiB, or of an eighth of the next lower power of two if that is more. */
    private static long roundedUp(long bytes) {
        long unit = Math.max(UNIT, Long.highestOneBit(bytes) / PARTS);
        return (bytes + unit - 1) / unit * unit;
    }

    /**
     * The workflow with the suggested requests of its categories, at most what a node has; the same workflow if there are none.
     *
     * @param kinds names the category of a task in the records
     * @param inputBytes the size of a task's inputs, or {@link TaskRecord#UNKNOWN}
     */
    public Workflow applied(Workflow workflow, long max, ExpectedRunTimes.Naming kinds, IntToLongFunction inputBytes) {
        WorkflowBuilder builder = null;
        for (int task = 0; task < workflow.size(); task++) {
            long request = Math.min(max, suggested(kinds.of(workflow, task), inputBytes.applyAsLong(task)));
            Resources needed = workflow.resources(task);
            if (request > 0 && request != needed.memory()) {
                builder = builder == null ? workflow.extend() : builder;
                builder.resources(task, needed.memory(request));
            }
        }
        return builder == null ? workflow : builder.build();
    }
}
