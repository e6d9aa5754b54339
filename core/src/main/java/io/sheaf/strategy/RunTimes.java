package io.sheaf.strategy;

import io.sheaf.text.InputException;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Run times of levels of a workflow in a job of n nodes: the cached makespan of greedy list scheduling.
 *
 * <h2>The estimate</h2>
 * GLUME, Zhang and their baselines share it (Glume thesis, section 6.2, EstimateRuntime). It is event-driven: at each date the ready tasks are tried
 * in order, and each starts on the first of n identical nodes with enough free cores, or {@linkplain CoreParts parts} of one, and enough of the {@linkplain
 * OtherResources other resources} that are counted. Parents in other levels count as done; levels are no barriers within a job. In the thesis the task with the earliest end goes first; its
 * authors' simulator goes by number. Here the {@link TaskOrder} decides.
 *
 * <h2>The cache</h2>
 * A makespan depends on the workflow, the levels and n only. So each is computed at most once, in a {@link LevelRange}, for all start times and
 * strategies. Four exact rules avoid most schedules:
 *
 * <ul>
 *   <li>If no ready task had to wait, the makespan is the critical path, and more nodes change nothing.
 *   <li>Across a {@linkplain PlannedTasks barrier} makespans add up.
 *   <li>A schedule with a limit is abandoned when it must exceed the limit.
 *   <li>Levels 0 … l have the schedule of levels 0 … m until the first start of a task beyond l, so that one schedule serves many l.
 * </ul>
 *
 * <p>Thread-safe: results are written once and do not depend on the thread.
 */
public final class RunTimes {
    /** The minimum number of tasks for which a schedule also computes the makespans of shorter ranges. */
    private static final int LARGE = 5_000;

    private final Workflow workflow;
    private final int large;
    private final Resources node;
    private final PlannedTasks tasks;
    private final int[] levelNodes;
    private final ConcurrentHashMap<Long, LevelRange> ranges = new ConcurrentHashMap<>();
    /** Unused scratch memory; guarded by itself. */
    private final ArrayDeque<ListSchedule> unusedSchedules = new ArrayDeque<>();

    /** For nodes with this number of cores, of which nothing else is counted. Throws an exception if a task fits no such node. */
    public RunTimes(Workflow workflow, TaskOrder order, int coresPerNode) {
        this(workflow, order, Resources.node(coresPerNode), LARGE);
    }

    /** For nodes of one kind. Throws an exception if a task fits no such node. */
    public RunTimes(Workflow workflow, TaskOrder order, Resources node) {
        this(workflow, order, node, LARGE);
    }

    /** For tests: with another limit for large workflows. */
    RunTimes(Workflow workflow, TaskOrder order, Resources node, int large) {
        this.workflow = workflow;
        this.node = node;
        this.large = large;
        for (int task = 0; task < workflow.size(); task++) {
            refuseWider(task, workflow.resources(task));
        }
        tasks = new PlannedTasks(workflow, order, node);
        levelNodes = levelNodes();
    }

    private void refuseWider(int task, Resources needed) {
        int cores = node.cores();
        if (needed.cores() > cores) {
            int nodes = (int) Math.min(Integer.MAX_VALUE, ((long) needed.cores() + cores - 1) / cores * needed.nodes());
            throw new InputException("task '" + workflow.id(task) + "' needs " + needed.cores() + " cores, a node has "
                    + cores + ". Maybe split it, or set nodes: " + nodes + " with at most " + cores + " cores each");
        }
    }

    /** Levels first … last, both included. */
    public LevelRange range(int firstLevel, int lastLevel) {
        if (firstLevel < 0 || lastLevel < firstLevel || lastLevel >= tasks.levels) {
            throw new IndexOutOfBoundsException(
                    "levels " + firstLevel + " to " + lastLevel + " of " + tasks.levels + " levels");
        }
        LevelRange known = rangeIfMade(firstLevel, lastLevel);
        if (known != null) {
            return known;
        }
        LevelRange created = new LevelRange(this, firstLevel, lastLevel);
        return Objects.requireNonNullElse(ranges.putIfAbsent(key(firstLevel, lastLevel), created), created);
    }

    /**
     * Levels first … first, first … first + 1, and so on to first … last. Longer ranges give bounds for shorter ones: create them all before
     * computing a run time, and compute the longest one first.
     */
    public List<LevelRange> prefixes(int firstLevel, int lastLevel) {
        return IntStream.rangeClosed(firstLevel, lastLevel)
                .mapToObj(level -> range(firstLevel, level))
                .toList();
    }

    @Nullable
    LevelRange rangeIfMade(int firstLevel, int lastLevel) {
        return ranges.get(key(firstLevel, lastLevel));
    }

    private static Long key(int firstLevel, int lastLevel) {
        return ((long) firstLevel << 32) | lastLevel;
    }

    /** The makespan of levels first … last on n nodes, in milliseconds. */
    public long millis(int firstLevel, int lastLevel, int nodes) {
        return range(firstLevel, lastLevel).millis(nodes);
    }

    /**
     * The makespan of the unfinished tasks of levels first … last; {@code done} is by task number. A running task counts with its whole time. Not
     * cached.
     */
    public long millis(int firstLevel, int lastLevel, int nodes, BitSet done) {
        return range(firstLevel, lastLevel).left(nodes, done);
    }

    public Workflow workflow() {
        return workflow;
    }

    /** What a node has. */
    public Resources node() {
        return node;
    }

    // --- for LevelRange ---

    /** The cores of a node, in parts of cores if tasks share them. */
    int partsPerNode() {
        return tasks.coreParts.of(node.cores());
    }

    PlannedTasks tasks() {
        return tasks;
    }

    /** The minimum number of tasks for which a schedule also computes the makespans of shorter ranges. */
    int large() {
        return large;
    }

    /** Nodes on which a level can run all its tasks at once, tasks of each shape on nodes of their own. */
    int levelNodes(int level) {
        return levelNodes[level];
    }

    ListSchedule takeSchedule() {
        @Nullable ListSchedule free;
        synchronized (unusedSchedules) {
            free = unusedSchedules.poll();
        }
        return free == null ? new ListSchedule(tasks) : free;
    }

    void returnSchedule(ListSchedule schedule) {
        synchronized (unusedSchedules) {
            unusedSchedules.push(schedule);
        }
    }

    /** Nodes on which the widest of some levels can run all its unfinished tasks at once. */
    int nodesOfRest(int firstLevel, int lastLevel, BitSet done) {
        int[] count = new int[tasks.kindCores.length];
        int widest = 0;
        for (int level = firstLevel; level <= lastLevel; level++) {
            widest = Math.max(widest, levelNodes(level, done, count));
        }
        return widest;
    }

    private int[] levelNodes() {
        int[] nodes = new int[tasks.levels];
        int[] count = new int[tasks.kindCores.length];
        BitSet none = new BitSet();
        for (int level = 0; level < tasks.levels; level++) {
            nodes[level] = levelNodes(level, none, count);
        }
        return nodes;
    }

    private int levelNodes(int level, BitSet done, int[] count) {
        Arrays.fill(count, 0);
        for (int at = tasks.levelStart[level]; at < tasks.levelStart[level + 1]; at++) {
            count[tasks.kind[at]] += done.get(tasks.taskAt[at]) ? 0 : 1;
        }
        long sum = 0;
        for (int kind = 0; kind < count.length; kind++) {
            int onANode = tasks.onANode[kind];
            sum += ((long) count[kind] + onANode - 1) / onANode * tasks.kindNodes[kind];
        }
        return (int) Math.min(Integer.MAX_VALUE, sum);
    }
}
