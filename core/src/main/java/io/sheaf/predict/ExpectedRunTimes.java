package io.sheaf.predict;

import io.sheaf.workflow.Command;
import io.sheaf.workflow.Workflow;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The run times that a run plans with. Times that are not given come from a {@linkplain TaskHistory history}; they are updated when the prediction of
 * a category has changed by a quarter or more.
 *
 * <p>So a run is replanned soon after the first task of a category, but not after each task. The caller passes the updates to the manager.
 */
public final class ExpectedRunTimes {
    /** The minimum relative change for an update. */
    public static final double MOVED = 0.25;

    /** Smaller changes, as of tasks that do nothing, are no reason for an update: it names all tasks of the category. */
    private static final long MIN_MOVED_MILLIS = 100;

    private static final long MICROS = 1_000;

    /**
     * Which times come from the history.
     *
     * @param all whether given times are replaced, too, if there is any history
     * @param quantile the fraction of such tasks that a walltime should cover
     */
    public record HistoryRule(boolean all, double quantile) {
        public static final HistoryRule DEFAULT = new HistoryRule(false, 0.9);
    }

    private record Kind(String category, int cores) {}

    /** Names the kind of a task: tasks of one kind have similar run times. */
    @FunctionalInterface
    public interface Naming {
        String of(Workflow workflow, int task);
    }

    private final TaskHistory history;
    private final HistoryRule rule;
    private final Naming naming;
    /** Tasks whose times come from the history. */
    private final BitSet unknownTimes = new BitSet();

    private final Map<String, Set<Kind>> kinds = new TreeMap<>();
    private final Map<Kind, TaskHistory.PredictedTime> published = new HashMap<>();
    /** Categories with new observations or new tasks since the last update. */
    private final Set<String> updated = new TreeSet<>();

    private int examined;

    /** For a run before its first update. */
    public ExpectedRunTimes(TaskHistory history, HistoryRule rule, Naming naming) {
        this.history = history;
        this.rule = rule;
        this.naming = naming;
    }

    /** The number of earlier attempts and the median run time of each kind whose times come from the history, for messages. */
    public Map<String, TaskHistory.PredictedTime> sources() {
        Map<String, TaskHistory.PredictedTime> sources = new TreeMap<>();
        published.forEach((kind, expected) -> sources.put(kind.category, expected));
        return sources;
    }

    /** The total size of a task's inputs in the workflow; unknown if one of the sizes is. */
    public static long inputBytes(Workflow workflow, int task) {
        long sum = 0;
        for (int i = 0; i < workflow.inputs(task); i++) {
            long size = workflow.fileSize(workflow.input(task, i));
            if (size == Workflow.UNKNOWN) {
                return TaskRecord.UNKNOWN;
            }
            sum += size;
        }
        return sum == 0 ? TaskRecord.UNKNOWN : sum;
    }

    public void learn(TaskRecord record) {
        history.learn(record);
        updated.add(record.category());
    }

    /** Registers the workflow's tasks, and later the new ones, with their given times. */
    public void addTasks(Workflow workflow) {
        for (; examined < workflow.size(); examined++) {
            if (rule.all || workflow.timeMicros(examined) == Workflow.UNKNOWN) {
                unknownTimes.set(examined);
                Kind kind = kind(workflow, examined);
                kinds.computeIfAbsent(kind.category, each -> new HashSet<>()).add(kind);
                updated.add(kind.category);
                // New tasks need an update, even if the prediction of their category has not changed.
                published.remove(kind);
            }
        }
    }

    /** Continues with a workflow that was planned with earlier predictions; they are updated only when they change. */
    public void resume(Workflow planned) {
        updated.clear();
        published.clear();
        for (int task = unknownTimes.nextSetBit(0); task >= 0; task = unknownTimes.nextSetBit(task + 1)) {
            Kind kind = kind(planned, task);
            TaskHistory.PredictedTime now = expected(kind, TaskRecord.UNKNOWN);
            if (now != null && planned.timeMicros(task) != Workflow.UNKNOWN) {
                published.putIfAbsent(
                        kind,
                        new TaskHistory.PredictedTime(
                                planned.timeMicros(task) / MICROS, now.bound(), now.attempts(), now.bySize()));
            }
        }
    }

    /** The category of a task, or the program that it runs if it has none. */
    public static String category(Workflow workflow, int task) {
        String name = workflow.category(task).name();
        Command command = workflow.command(task);
        return name.isEmpty() && command != null ? command.argv().get(0) : name;
    }

    private Kind kind(Workflow workflow, int task) {
        return new Kind(naming.of(workflow, task), workflow.resources(task).cores());
    }

    /**
     * The update for the manager: the times of all tasks of changed categories; null if there is none.
     *
     * @param inputBytes the size of a task's inputs, or {@link TaskRecord#UNKNOWN}
     */
    public @Nullable RunTimeUpdate moved(Workflow workflow, IntToLongFunction inputBytes) {
        addTasks(workflow);
        Set<Kind> moved = new HashSet<>();
        for (String category : updated) {
            kinds.getOrDefault(category, Set.of()).stream()
                    .filter(this::hasMoved)
                    .forEach(moved::add);
        }
        updated.clear();
        return moved.isEmpty() ? null : retiming(workflow, moved, inputBytes);
    }

    private boolean hasMoved(Kind kind) {
        TaskHistory.PredictedTime now = expected(kind, TaskRecord.UNKNOWN);
        if (now == null) {
            return false;
        }
        TaskHistory.PredictedTime before = published.get(kind);
        boolean changed = before == null || isFar(before.median(), now.median()) || isFar(before.bound(), now.bound());
        if (changed) {
            published.put(kind, now);
        }
        return changed;
    }

    private static boolean isFar(long before, long now) {
        return Math.abs(now - before) >= Math.max(MIN_MOVED_MILLIS, MOVED * before);
    }

    private TaskHistory.@Nullable PredictedTime expected(Kind kind, long inputBytes) {
        return history.expected(kind.category, kind.cores, inputBytes, rule.quantile);
    }

    private RunTimeUpdate retiming(Workflow workflow, Set<Kind> moved, IntToLongFunction inputBytes) {
        Set<Kind> sized = new HashSet<>(moved);
        sized.removeIf(kind -> !history.sizesHelp(kind.category, kind.cores));
        int[] tasks = new int[unknownTimes.cardinality()];
        long[] medians = new long[tasks.length];
        long[] bounds = new long[tasks.length];
        int count = 0;
        for (int task = unknownTimes.nextSetBit(0); task >= 0; task = unknownTimes.nextSetBit(task + 1)) {
            Kind kind = kind(workflow, task);
            if (moved.contains(kind)) {
                long bytes = sized.contains(kind) ? inputBytes.applyAsLong(task) : TaskRecord.UNKNOWN;
                // Without a size, the last published time of the kind.
                TaskHistory.PredictedTime expected = bytes > 0 ? expected(kind, bytes) : published.get(kind);
                if (expected != null) {
                    tasks[count] = task;
                    medians[count] = expected.median() * MICROS;
                    bounds[count++] = expected.bound() * MICROS;
                }
            }
        }
        return new RunTimeUpdate(
                Arrays.copyOf(tasks, count), Arrays.copyOf(medians, count), Arrays.copyOf(bounds, count));
    }
}
