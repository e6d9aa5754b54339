package io.sheaf.workflow;

import io.sheaf.text.TimeText;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
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
    private final Names ids;
    private final TaskTable tasks;
    private final FileTable files;
    private final Adjacency parents;
    private final Adjacency children;
    private final Adjacency inputs;
    private final Adjacency outputs;
    private final Levels levels;
    private final boolean fileEdges;

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
    public Workflow timed(int[] some, long[] micros) {
        TaskTable other = new TaskTable(tasks);
        for (int i = 0; i < some.length; i++) {
            other.time[some[i]] = micros[i];
        }
        return new Workflow(name, ids, other, files, parents, children, inputs, outputs, levels, fileEdges);
    }

    /** The same workflow where no run time is known. */
    public Workflow untimed() {
        TaskTable other = new TaskTable(tasks);
        Arrays.fill(other.time, UNKNOWN);
        return new Workflow(name, ids, other, files, parents, children, inputs, outputs, levels, fileEdges);
    }

    public String name() {
        return name;
    }

    /** The number of tasks. */
    public int size() {
        return tasks.size;
    }

    /** The number of edges. */
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

    /** The hard limit on the run time in microseconds, or {@link #UNKNOWN}. */
    public long limitMicros(int task) {
        return tasks.limit == null ? UNKNOWN : tasks.limit[task];
    }

    /** The run time on other core counts than the task's own, or null. */
    public @Nullable Scaling scaling(int task) {
        return tasks.scaling == null ? null : tasks.scaling[task];
    }

    public Resources resources(int task) {
        return tasks.kindsOfResources.get(tasks.resources[task]);
    }

    public int retries(int task) {
        return tasks.retries == null ? 0 : tasks.retries[task];
    }

    /** After which failures the task is tried again. */
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

    // --- levels ---

    public int levels() {
        return levels.start.length - 1;
    }

    /** The longest hop count from an entry task. */
    public int level(int task) {
        return levels.level[task];
    }

    /** The number of tasks in a level. */
    public int width(int level) {
        return levels.start[level + 1] - levels.start[level];
    }

    /** The index-th task of a level, ascending; level after level this is a topological order. */
    public int taskOfLevel(int level, int index) {
        return levels.order[levels.start[level] + Objects.checkIndex(index, width(level))];
    }

    /** The index-th task in topological order. */
    public int inOrder(int index) {
        return levels.order[index];
    }

    public int maxWidth() {
        int most = 0;
        for (int level = 0; level < levels(); level++) {
            most = Math.max(most, width(level));
        }
        return most;
    }

    // --- times ---

    /** The sum of all run times in microseconds; unknown ones count nothing. */
    public long totalMicros() {
        long total = 0;
        for (int task = 0; task < size(); task++) {
            total += Math.max(0, tasks.time[task]);
        }
        return total;
    }

    /**
     * For each task the longest sum of run times from its start to the end of the workflow, in microseconds (also called upward
     * rank, where moving data costs nothing).
     */
    public long[] bottomLevels() {
        long[] bottom = new long[size()];
        for (int i = size() - 1; i >= 0; i--) {
            int task = levels.order[i];
            long longest = 0;
            for (int c = children.start[task]; c < children.start[task + 1]; c++) {
                longest = Math.max(longest, bottom[children.values[c]]);
            }
            bottom[task] = longest + Math.max(0, tasks.time[task]);
        }
        return bottom;
    }

    /** The longest sum of run times along a path, in microseconds. */
    public long criticalPathMicros() {
        long longest = 0;
        for (long bottom : bottomLevels()) {
            longest = Math.max(longest, bottom);
        }
        return longest;
    }

    @Override
    public String toString() {
        return name + ": " + size() + " tasks, " + edges() + " edges, " + levels() + " levels, "
                + TimeText.seconds(totalMicros()) + " s";
    }

    // --- for those who make a larger one ---

    Names ids() {
        return ids;
    }

    Adjacency parents() {
        return parents;
    }

    Adjacency inputs() {
        return inputs;
    }

    Adjacency outputs() {
        return outputs;
    }

    TaskTable tasks() {
        return tasks;
    }

    FileTable fileTable() {
        return files;
    }
}
