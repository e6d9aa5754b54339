package io.sheaf.workflow;

import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import io.sheaf.text.Place;
import java.util.Arrays;
import java.util.List;

/**
 * Builds a workflow from tasks, files and edges in any order, or reports what is wrong and where.
 *
 * <p>Edges may name later tasks. Errors carry the {@link Place} in the source text ({@link Place#NONE} if there is none). A builder is used
 * once.
 */
public final class WorkflowBuilder {
    /** Sums of times over the maximum number of tasks must fit a long. */
    private static final long LONGEST_TOTAL = Long.MAX_VALUE / 4;

    private String name;
    private final TaskTable tasks;
    private final FileTable files;
    /** Every id that was mentioned; a task's own number differs from its id's where an edge named the id first. */
    private final Names mentioned;

    private int[] taskOf = new int[16];
    private int[] idOf = new int[16];
    private final IntPairs edges = new IntPairs();
    private long[] edgePlace = new long[32];
    private final IntPairs inputs = new IntPairs();
    private final IntPairs outputs = new IntPairs();
    private boolean fileEdges;
    private long totalMicros;

    public WorkflowBuilder(String name) {
        this.name = name;
        tasks = new TaskTable();
        files = new FileTable();
        mentioned = new Names(16);
    }

    /** Holds everything of an earlier workflow already. */
    WorkflowBuilder(Workflow base) {
        name = base.name();
        tasks = new TaskTable(base.tasks);
        files = new FileTable(base.files);
        mentioned = new Names(base.size());
        fileEdges = base.fileEdges();
        totalMicros = base.totalMicros();
        // Declared first, so that ids and tasks have the same numbers.
        for (int task = 0; task < base.size(); task++) {
            declare(mentioned.number(base.id(task)), task);
        }
        for (int task = 0; task < base.size(); task++) {
            for (int i = 0; i < base.parents(task); i++) {
                addEdge(base.parent(task, i), task, Place.NONE);
            }
            for (int i = 0; i < base.inputs(task); i++) {
                inputs.add(task, base.input(task, i));
            }
            for (int i = 0; i < base.outputs(task); i++) {
                outputs.add(task, base.output(task, i));
            }
        }
    }

    /** Another name for the workflow, where it is known only behind its tasks. */
    public WorkflowBuilder name(String newName) {
        name = newName;
        return this;
    }

    /** Makes a task that reads a file come after the task that writes it. Off unless called. */
    public WorkflowBuilder fileEdges(boolean enabled) {
        fileEdges = enabled;
        return this;
    }

    /** The number of tasks so far. */
    public int size() {
        return tasks.size;
    }

    /** The number of the task with this id, or −1 if it has not been declared yet. */
    public int find(String id) {
        int number = mentioned.find(id);
        return number < 0 || number >= taskOf.length ? -1 : taskOf[number] - 1;
    }

    public int task(String id, long place) {
        if (id.isEmpty()) {
            throw new InputException("a task has an empty id; give it a name", place);
        }
        int number = mentioned.number(id);
        if (number < taskOf.length && taskOf[number] != 0) {
            long first = tasks.placeOf(taskOf[number] - 1);
            String where = first == Place.NONE ? "" : " (first at " + Place.text(first) + ")";
            throw new InputException("task '" + id + "' is declared twice" + where + "; ids must differ", place);
        }
        int task = tasks.add();
        declare(number, task);
        if (place != Place.NONE) {
            tasks.setPlace(task, place);
        }
        return task;
    }

    public int task(String id) {
        return task(id, Place.NONE);
    }

    private void declare(int number, int task) {
        if (number >= taskOf.length) {
            taskOf = Arrays.copyOf(taskOf, number + (number >> 1) + 16);
        }
        if (task >= idOf.length) {
            idOf = Arrays.copyOf(idOf, task + (task >> 1) + 16);
        }
        taskOf[number] = task + 1;
        idOf[task] = number;
    }

    public String id(int task) {
        return mentioned.name(idOf[task]);
    }

    public WorkflowBuilder category(int task, String category) {
        tasks.category[task] = tasks.categoryNumber(category);
        return this;
    }

    /** Sets all properties of a task but its files and edges to those of a task of another workflow. */
    WorkflowBuilder like(int task, Workflow from, int its) {
        if (from.timeMicros(its) != Workflow.UNKNOWN) {
            time(task, from.timeMicros(its));
        }
        tasks.copy(task, from, its);
        return this;
    }

    /** Sets the common properties of a category's tasks. */
    public WorkflowBuilder describe(Category category) {
        tasks.describe(category);
        return this;
    }

    /** The expected run time. */
    public WorkflowBuilder time(int task, long micros, long place) {
        if (micros < 0) {
            throw new InputException("task '" + id(task) + "' has a negative run time; a run time is 0 or more", place);
        }
        totalMicros += micros - Math.max(0, tasks.time[task]);
        if (totalMicros > LONGEST_TOTAL || totalMicros < 0) {
            throw new InputException("the run times add up to more than Sheaf can count (73,000 years)", place);
        }
        tasks.time[task] = micros;
        return this;
    }

    public WorkflowBuilder time(int task, long micros) {
        return time(task, micros, Place.NONE);
    }

    /** The run time on several core counts. */
    public WorkflowBuilder scaling(int task, Scaling scaling) {
        tasks.setScaling(task, scaling);
        return this;
    }

    /** The run time after which the task is stopped. */
    public WorkflowBuilder limit(int task, long micros, long place) {
        if (micros <= 0) {
            throw new InputException("task '" + id(task) + "' has a limit of 0; remove or raise it", place);
        }
        tasks.setLimit(task, micros);
        return this;
    }

    public WorkflowBuilder resources(int task, Resources needed) {
        tasks.resources[task] = tasks.resourceNumber(needed);
        return this;
    }

    public Resources resources(int task) {
        return tasks.kindsOfResources.get(tasks.resources[task]);
    }

    public WorkflowBuilder retries(int task, int count) {
        tasks.setRetries(task, count);
        return this;
    }

    public WorkflowBuilder retry(int task, Retry rule) {
        tasks.setRetry(task, rule);
        return this;
    }

    public WorkflowBuilder priority(int task, int priority) {
        tasks.setPriority(task, priority);
        return this;
    }

    public WorkflowBuilder command(int task, Command command) {
        tasks.setCommand(task, command);
        return this;
    }

    /** Adds a file unless it exists and returns its number; the first known size is used. */
    public int file(String fileName, long bytes) {
        return files.number(fileName, bytes);
    }

    public WorkflowBuilder input(int task, int file) {
        inputs.add(task, file);
        return this;
    }

    public WorkflowBuilder output(int task, int file) {
        outputs.add(task, file);
        return this;
    }

    /** Makes the child start only after the parent has ended; either may be declared later. */
    public WorkflowBuilder edge(String parent, String child, long place) {
        addEdge(mentioned.number(parent), mentioned.number(child), place);
        return this;
    }

    /** Makes a declared task start only after another one. */
    public WorkflowBuilder edge(int parent, int child) {
        addEdge(idOf[parent], idOf[child], Place.NONE);
        return this;
    }

    private void addEdge(int parentId, int childId, long place) {
        if (edges.size() == edgePlace.length) {
            edgePlace = Arrays.copyOf(edgePlace, edgePlace.length + (edgePlace.length >> 1));
        }
        edgePlace[edges.size()] = place;
        edges.add(childId, parentId);
    }

    public Workflow build() {
        int count = tasks.size;
        IntPairs resolved = new IntPairs();
        for (int i = 0; i < edges.size(); i++) {
            resolved.add(resolve(edges.first(i), i), resolve(edges.second(i), i));
        }
        Adjacency reads = Adjacency.listed(count, inputs);
        Adjacency writes = Adjacency.listed(count, outputs);
        if (fileEdges) {
            addFileEdges(reads, writes, resolved);
        }
        Adjacency parents = Adjacency.sorted(count, resolved);
        Adjacency children = parents.reversed(count);
        Levels levels = Levels.of(parents, children);
        if (levels.order.length < count) {
            throw cycle(parents, levels);
        }
        Names ids = new Names(count);
        for (int task = 0; task < count; task++) {
            ids.number(id(task));
        }
        return new Workflow(
                name,
                ids,
                new TaskTable(tasks),
                new FileTable(files),
                parents,
                children,
                reads,
                writes,
                levels,
                fileEdges);
    }

    private int resolve(int number, int edge) {
        if (number >= taskOf.length || taskOf[number] == 0) {
            String missing = mentioned.name(number);
            int other = edges.first(edge) == number ? edges.second(edge) : edges.first(edge);
            List<String> declared = Arrays.stream(idOf, 0, Math.min(tasks.size, 10_001))
                    .mapToObj(mentioned::name)
                    .toList();
            throw new InputException(
                    "task '" + mentioned.name(other) + "' has an edge with '" + missing + "', but there is no task '"
                            + missing + "'." + Nearest.hint(missing, declared),
                    edgePlace[edge]);
        }
        return taskOf[number] - 1;
    }

    private void addFileEdges(Adjacency reads, Adjacency writes, IntPairs into) {
        int[] producer = new int[files.count()];
        for (int task = 0; task < tasks.size; task++) {
            for (int i = writes.start[task]; i < writes.start[task + 1]; i++) {
                int file = writes.values[i];
                if (producer[file] != 0) {
                    throw new InputException(
                            "file '" + files.names.name(file) + "' is written by two tasks, '" + id(producer[file] - 1)
                                    + "' and '" + id(task) + "'; rename one, or use --no-file-edges",
                            tasks.placeOf(task));
                }
                producer[file] = task + 1;
            }
        }
        for (int task = 0; task < tasks.size; task++) {
            for (int i = reads.start[task]; i < reads.start[task + 1]; i++) {
                int writer = producer[reads.values[i]] - 1;
                // A task that updates a file in place does not wait for itself.
                if (writer >= 0 && writer != task) {
                    into.add(task, writer);
                }
            }
        }
    }

    private InputException cycle(Adjacency parents, Levels levels) {
        List<Integer> found = levels.cycle(parents);
        StringBuilder path = new StringBuilder();
        int shown = 0;
        for (int task : found) {
            if (shown == 20) {
                path.append("… (").append(found.size() - shown).append(" more) -> ");
                break;
            }
            path.append(id(task)).append(" -> ");
            shown++;
        }
        path.append(id(found.get(0)));
        return new InputException(
                "the tasks form a cycle: " + path + "; remove one of these dependencies", tasks.placeOf(found.get(0)));
    }
}
