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
public final class TimesInUse {
    /** The minimum relative change for an update. */
    public static final double MOVED = 0.25;

    /** Smaller changes, as of tasks that do nothing, are no reason for an update: it names all tasks of the category. */
    private static final long LEAST_MOVED_MILLIS = 100;

    private static final long MICROS = 1_000;

    /**
     * Which times come from the history.
     *
     * @param all whether given times are replaced, too, if there is any history
     * @param quantile the fraction of such tasks that a walltime should cover
     */
    public record Rule(boolean all, double quantile) {
        public static final Rule DEFAULT = new Rule(false, 0.9);
    }

    private record Kind(String category, int cores) {}

    /** Names the kind of a task: tasks of one kind have similar run times. */
    @FunctionalInterface
    public interface Naming {
        String of(Workflow workflow, int task);
    }

    private final TaskHistory history;
    private final Rule rule;
    private final Naming naming;
    /** Tasks whose times come from the history. */
    private final BitSet open = new BitSet();

    private final Map<String, Set<Kind>> kinds = new TreeMap<>();
    private final Map<Kind, TaskHistory.Expected> given = new HashMap<>();
    /** Categories with new observations or new tasks since the last update. */
    private final Set<String> touched = new TreeSet<>();

    private int seen;

    /** For a run before its first update. */
    public TimesInUse(TaskHistory history, Rule rule, Naming naming) {
        this.history = history;
        this.rule = rule;
        this.naming = naming;
    }

    /** The number of earlier attempts and the median run time of each kind whose times come from the history, for messages. */
    public Map<String, TaskHistory.Expected> sources() {
        Map<String, TaskHistory.Expected> sources = new TreeMap<>();
        given.forEach((kind, expected) -> sources.put(kind.category, expected));
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

    public void learn(TaskRecord one) {
        history.learn(one);
        touched.add(one.category());
    }

    /** Registers the workflow's tasks, and later the new ones, with their given times. */
    public void note(Workflow workflow) {
        for (; seen < workflow.size(); seen++) {
            if (rule.all || workflow.timeMicros(seen) == Workflow.UNKNOWN) {
                open.set(seen);
                Kind kind = kind(workflow, seen);
                kinds.computeIfAbsent(kind.category, each -> new HashSet<>()).add(kind);
                touched.add(kind.category);
                // New tasks need an update, even if the prediction of their category has not changed.
                given.remove(kind);
            }
        }
    }

    /** Continues with a workflow that was planned with earlier predictions; they are updated only when they change. */
    public void resume(Workflow planned) {
        touched.clear();
        given.clear();
        for (int task = open.nextSetBit(0); task >= 0; task = open.nextSetBit(task + 1)) {
            Kind kind = kind(planned, task);
            TaskHistory.Expected now = expected(kind, TaskRecord.UNKNOWN);
            if (now != null && planned.timeMicros(task) != Workflow.UNKNOWN) {
                given.putIfAbsent(
                        kind,
                        new TaskHistory.Expected(
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
    public @Nullable Retiming moved(Workflow workflow, IntToLongFunction inputBytes) {
        note(workflow);
        Set<Kind> moved = new HashSet<>();
        for (String category : touched) {
            kinds.getOrDefault(category, Set.of()).stream()
                    .filter(this::hasMoved)
                    .forEach(moved::add);
        }
        touched.clear();
        return moved.isEmpty() ? null : retiming(workflow, moved, inputBytes);
    }

    private boolean hasMoved(Kind kind) {
        TaskHistory.Expected now = expected(kind, TaskRecord.UNKNOWN);
        if (now == null) {
            return false;
        }
        TaskHistory.Expected before = given.get(kind);
        boolean far = before == null || far(before.median(), now.median()) || far(before.bound(), now.bound());
        if (far) {
            given.put(kind, now);
        }
        return far;
    }

    private static boolean far(long before, long now) {
        return Math.abs(now - before) >= Math.max(LEAST_MOVED_MILLIS, MOVED * before);
    }

    private TaskHistory.@Nullable Expected expected(Kind kind, long inputBytes) {
        return history.expected(kind.category, kind.cores, inputBytes, rule.quantile);
    }

    private Retiming retiming(Workflow workflow, Set<Kind> moved, IntToLongFunction inputBytes) {
        Set<Kind> sized = new HashSet<>(moved);
        sized.removeIf(kind -> !history.sizesHelp(kind.category, kind.cores));
        int[] tasks = new int[open.cardinality()];
        long[] medians = new long[tasks.length];
        long[] bounds = new long[tasks.length];
        int count = 0;
        for (int task = open.nextSetBit(0); task >= 0; task = open.nextSetBit(task + 1)) {
            Kind kind = kind(workflow, task);
            if (moved.contains(kind)) {
                long bytes = sized.contains(kind) ? inputBytes.applyAsLong(task) : TaskRecord.UNKNOWN;
                // Without a size it is what was told of the kind.
                TaskHistory.Expected one = bytes > 0 ? expected(kind, bytes) : given.get(kind);
                if (one != null) {
                    tasks[count] = task;
                    medians[count] = one.median() * MICROS;
                    bounds[count++] = one.bound() * MICROS;
                }
            }
        }
        return new Retiming(Arrays.copyOf(tasks, count), Arrays.copyOf(medians, count), Arrays.copyOf(bounds, count));
    }
}
