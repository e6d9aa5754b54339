package io.sheaf.workflow;

import io.sheaf.text.Place;
import io.sheaf.text.TimeText;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A workflow: an immutable DAG of tasks, in columns of primitive arrays.
 *
 * <p>Tasks, files and levels are numbered from 0. Task numbers never change: in a workflow built by {@link #extend} every task keeps its
 * number. Times are microseconds (see docs/decisions); {@link #UNKNOWN} marks an unknown time or size.
 *
 * <p>Built by {@link WorkflowBuilder}, which rejects invalid workflows.
 */
public final class Workflow {
    /** A run time, limit or file size that is not known. */
    public static final long UNKNOWN = -1;

    private final String name;
    final Names ids;
    final TaskTable tasks;
    final FileTable files;
    final Adjacency parents;
    private final Adjacency children;
    final Adjacency inputs;
    final Adjacency outputs;
    private final Levels levels;
    private final boolean fileEdges;
    /** By task; null if no task is moldable. */
    private final @Nullable Variants @Nullable [] variants;

    Workflow(
            String name,
            Names ids,
            TaskTable tasks,
            FileTable files,
            Adjacency parents,
            Adjacency children,
            Adjacency inputs,
            Adjacency outputs,
            Levels levels,
            boolean fileEdges) {
        this.name = name;
        this.ids = ids;
        this.tasks = tasks;
        this.files = files;
        this.parents = parents;
        this.children = children;
        this.inputs = inputs;
        this.outputs = outputs;
        this.levels = levels;
        this.fileEdges = fileEdges;
        variants = variants(tasks);
    }

    private static @Nullable Variants @Nullable [] variants(TaskTable tasks) {
        @Nullable Scaling @Nullable [] tables = tasks.scaling;
        @Nullable Variants @Nullable [] found = null;
        for (int task = 0; tables != null && task < tasks.size; task++) {
            Scaling table = tables[task];
            Variants its = table == null
                    ? null
                    : Variants.of(tasks.kindsOfResources.get(tasks.resources[task]), tasks.time[task], table);
            if (its != null) {
                found = found == null ? new Variants[tasks.size] : found;
                found[task] = its;
            }
        }
        return found;
    }

    /**
     * The same workflow where moldable tasks have some of their variants.
     *
     * @param rule the variants that a task keeps, ascending; null for all
     * @param keeps whether a task keeps the cores that it declares; else it declares the last one kept
     */
    private Workflow choosing(IntFunction<int @Nullable []> rule, IntPredicate keeps) {
        TaskTable other = new TaskTable(tasks);
        boolean changed = false;
        for (int task = 0; task < size(); task++) {
            Variants from = variants(task);
            int[] kept = from == null ? null : rule.apply(task);
            if (from != null && kept != null && kept.length > 0) {
                changed = true;
                other.setScaling(task, from.table(kept));
                if (!keeps.test(task)) {
                    int last = kept[kept.length - 1];
                    other.time[task] = from.micros(last);
                    other.resources[task] = other.resourceNumber(from.needs(last));
                }
            }
        }
        return changed
                ? new Workflow(name, ids, other, files, parents, children, inputs, outputs, levels, fileEdges)
                : this;
    }

    /** The same workflow with a fixed variant for each moldable task. No task of it is moldable. */
    public Workflow fixed(IntUnaryOperator variantOf) {
        return choosing(task -> new int[] {variantOf.applyAsInt(task)}, task -> false);
    }

    /**
     * The same workflow without the variants that exceed a node or a job. A task that declares more takes the largest variant that is left; one without any is unchanged, so that it is refused by name.
     *
     * @param node what a node has
     * @param nodes the maximum number of nodes of a job
     * @param walltime the maximum walltime of a job, in milliseconds
     */
    public Workflow fitting(Resources node, int nodes, long walltime) {
        return choosing(
                task -> {
                    Variants all = Objects.requireNonNull(variants(task));
                    int[] kept = IntStream.range(0, all.size())
                            .filter(v -> fits(all.needs(v), all.micros(v), node, nodes, walltime))
                            .toArray();
                    return kept.length == all.size() ? null : kept;
                },
                task -> fits(resources(task), timeMicros(task), node, nodes, walltime));
    }

    private static boolean fits(Resources needed, long micros, Resources node, int nodes, long walltime) {
        return needed.excess(node) == null && needed.nodes() <= nodes && micros / 1000 <= walltime;
    }

    /** A builder that holds all of this workflow already; what it builds has the same tasks under the same numbers, and more. */
    public WorkflowBuilder extend() {
        return new WorkflowBuilder(this);
    }

    /** This workflow and more tasks; refused if that does not fit it. Costs little beside the copying of columns. */
    public Workflow plus(Addition added) {
        return new Growth(this, added).larger();
    }

    /** The same under ids that begin with something. */
    public Workflow prefixed(String prefix) {
        Names renamed = new Names(size());
        for (int task = 0; task < size(); task++) {
            renamed.number(prefix + id(task));
        }
        return new Workflow(name, renamed, tasks, files, parents, children, inputs, outputs, levels, fileEdges);
    }

    /** The same workflow with other expected run times of some tasks, in microseconds or {@link #UNKNOWN}. */
    public Workflow timed(int[] selected, long[] micros) {
        long[] times = Arrays.copyOf(tasks.time, size());
        for (int i = 0; i < selected.length; i++) {
            times[selected[i]] = micros[i];
        }
        return timed(times);
    }

    /** The same workflow where no run time is known. */
    public Workflow untimed() {
        long[] times = new long[size()];
        Arrays.fill(times, UNKNOWN);
        return timed(times);
    }

    private Workflow timed(long[] times) {
        return new Workflow(
                name, ids, new TaskTable(tasks, times), files, parents, children, inputs, outputs, levels, fileEdges);
    }

    public String name() {
        return name;
    }

    public int size() {
        return tasks.size;
    }

    public int edges() {
        return parents.size();
    }

    /** Whether edges follow from files: a task that reads a file depends on the task that writes it. */
    public boolean fileEdges() {
        return fileEdges;
    }

    // --- tasks ---

    public String id(int task) {
        return ids.name(task);
    }

    /** The number of the task with this id, or −1. */
    public int find(String id) {
        return ids.find(id);
    }

    /** Where the task is in the text that the workflow was read from, or {@link Place#NONE}. */
    public long place(int task) {
        return tasks.placeOf(task);
    }

    public Category category(int task) {
        return tasks.categories.get(tasks.category[task]);
    }

    /** The number of the task's category, an index into {@link #categories}. */
    public int categoryNumber(int task) {
        return tasks.category[task];
    }

    /** All categories, in the order in which they were first named; some may have no task. */
    public List<Category> categories() {
        return Collections.unmodifiableList(tasks.categories);
    }

    /** The expected run time in microseconds, or {@link #UNKNOWN}. */
    public long timeMicros(int task) {
        return tasks.time[task];
    }

    /** The number of tasks whose run time is unknown. */
    public int tasksWithoutTime() {
        int count = 0;
        for (int task = 0; task < size(); task++) {
            count += timeMicros(task) == UNKNOWN ? 1 : 0;
        }
        return count;
    }

    /** The hard limit on the run time in microseconds, or {@link #UNKNOWN}. */
    public long limitMicros(int task) {
        return tasks.limit == null ? UNKNOWN : tasks.limit[task];
    }

    /** The run time on other core counts than the task's own, or null. */
    public @Nullable Scaling scaling(int task) {
        return tasks.scaling == null ? null : tasks.scaling[task];
    }

    /** Whether a task may run on several core counts. */
    public boolean isMoldable() {
        return variants != null;
    }

    /** The core counts that a task may run on; null if it is not moldable. */
    public @Nullable Variants variants(int task) {
        return variants == null ? null : variants[task];
    }

    /** The expected run time of an attempt with these resources in microseconds, or {@link #UNKNOWN}. */
    public long timeMicros(int task, Resources attempt) {
        Variants all = variants(task);
        int variant = all == null ? -1 : all.find(attempt);
        return all == null || variant < 0 ? timeMicros(task) : all.micros(variant);
    }

    /** The expected run time in milliseconds, rounded up; 0 if it is not known. */
    public long timeMillis(int task) {
        return (Math.max(0, timeMicros(task)) + 999) / 1000;
    }

    /** The same of an attempt with these resources. */
    public long timeMillis(int task, Resources attempt) {
        return (Math.max(0, timeMicros(task, attempt)) + 999) / 1000;
    }

    /** What a time on the declared cores of a task is on the resources of an attempt. */
    public long onChosen(int task, Resources attempt, long time) {
        return scaled(time, timeMicros(task, attempt), timeMicros(task));
    }

    /** What the time of an attempt with these resources is on the declared cores of its task. */
    public long onDeclared(int task, Resources attempt, long time) {
        return scaled(time, timeMicros(task), timeMicros(task, attempt));
    }

    private static long scaled(long time, long to, long from) {
        return to == from ? time : Math.round(time * ((double) to / from));
    }

    /** What a task needs on its declared cores. */
    public Resources resources(int task) {
        return tasks.kindsOfResources.get(tasks.resources[task]);
    }

    public int retries(int task) {
        return tasks.retries == null ? 0 : tasks.retries[task];
    }

    /** The failures after which the task is retried. */
    public Retry retry(int task) {
        Retry rule = tasks.retry == null ? null : tasks.retry[task];
        return rule == null ? Retry.DEFAULT : rule;
    }

    /** The author's priority: higher goes first among ready tasks. */
    public int priority(int task) {
        return tasks.priority == null ? 0 : tasks.priority[task];
    }

    /** What the task runs, or null where only its shape is known. */
    public @Nullable Command command(int task) {
        return tasks.command == null ? null : tasks.command[task];
    }

    // --- edges ---

    public int parents(int task) {
        return parents.degree(task);
    }

    /** The index-th parent of a task, ascending. */
    public int parent(int task, int index) {
        return parents.value(task, index);
    }

    public int children(int task) {
        return children.degree(task);
    }

    /** The index-th child of a task, ascending. */
    public int child(int task, int index) {
        return children.value(task, index);
    }

    // --- files ---

    public int files() {
        return files.count();
    }

    public String fileName(int file) {
        return files.names.name(file);
    }

    /** The size in bytes, or {@link #UNKNOWN}. */
    public long fileSize(int file) {
        return files.size[Objects.checkIndex(file, files.count())];
    }

    public int inputs(int task) {
        return inputs.degree(task);
    }

    /** The index-th file that a task reads, as listed. */
    public int input(int task, int index) {
        return inputs.value(task, index);
    }

    public int outputs(int task) {
        return outputs.degree(task);
    }

    /** The index-th file that a task writes, as listed. */
    public int output(int task, int index) {
        return outputs.value(task, index);
    }

    /** The names of the files that a task reads. */
    public List<String> inputNames(int task) {
        return IntStream.range(0, inputs(task))
                .mapToObj(i -> fileName(input(task, i)))
                .toList();
    }

    /** The names of the files that a task writes. */
    public List<String> outputNames(int task) {
        return IntStream.range(0, outputs(task))
                .mapToObj(i -> fileName(output(task, i)))
                .toList();
    }

    // --- levels ---

    public int levels() {
        return levels.start.length - 1;
    }

    /** The longest hop count from an entry task. */
    public int level(int task) {
        return levels.level[task];
    }

    public int width(int level) {
        return levels.start[level + 1] - levels.start[level];
    }

    /** The index-th task of a level, ascending; level after level this is a topological order. */
    public int taskOfLevel(int level, int index) {
        return levels.order[levels.start[level] + Objects.checkIndex(index, width(level))];
    }

    /** The tasks of some levels in topological order; none if the last level is before the first. */
    public IntStream tasksOfLevels(int first, int last) {
        return last < first
                ? IntStream.empty()
                : Arrays.stream(levels.order, levels.start[first], levels.start[last + 1]);
    }

    /** The index-th task in topological order. */
    public int inOrder(int index) {
        return levels.order[index];
    }

    public int maxWidth() {
        return IntStream.range(0, levels()).map(this::width).max().orElse(0);
    }

    // --- times ---

    /** The sum of all run times in microseconds; unknown ones count nothing. */
    public long totalMicros() {
        return Arrays.stream(tasks.time, 0, size())
                .map(time -> Math.max(0, time))
                .sum();
    }

    /**
     * For each task the longest sum of run times from its start to the end of the workflow, in microseconds (also called upward
     * rank, where moving data costs nothing).
     */
    public long[] bottomLevels() {
        return bottomLevels(Arrays.stream(tasks.time, 0, size())
                .map(time -> Math.max(0, time))
                .toArray());
    }

    /** The same with a time for each task, in any unit. */
    public long[] bottomLevels(long[] times) {
        long[] bottom = new long[size()];
        for (int i = size() - 1; i >= 0; i--) {
            int task = levels.order[i];
            long longest = 0;
            for (int c = children.start[task]; c < children.start[task + 1]; c++) {
                longest = Math.max(longest, bottom[children.values[c]]);
            }
            bottom[task] = longest + times[task];
        }
        return bottom;
    }

    /** The longest sum of run times along a path, in microseconds. */
    public long criticalPathMicros() {
        return Arrays.stream(bottomLevels()).max().orElse(0);
    }

    @Override
    public String toString() {
        return name + ": " + size() + " tasks, " + edges() + " edges, " + levels() + " levels, "
                + TimeText.seconds(totalMicros()) + " s";
    }

    // --- for those who make a larger one ---
}
