package io.sheaf.strategy;

import io.sheaf.text.InputException;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How long some levels of a workflow take in a job of n nodes: the makespan of greedy list scheduling, known once and for all.
 *
 * <h2>The estimate</h2>
 * GLUME, Zhang and their baselines share it (Glume thesis, section 6.2, EstimateRuntime). It is event-driven: at each date the ready
 * tasks are looked at in order, and each starts on the first of n identical nodes with enough free cores, or {@linkplain CoreParts parts} of one. Parents in other
 * levels count as done; levels are no barriers within a job. Memory and GPUs are not looked at. The thesis says that the task that
 * can end earliest goes first, its authors' simulator takes them by number; here the {@link TaskOrder} says.
 *
 * <h2>What is kept</h2>
 * A makespan depends on the workflow, the levels and n only: not on the queue, nor on the date. So every one is computed at most once, in
 * a {@link LevelRange}, and serves all start times and all strategies. Four facts save most schedules, all exact: where no ready
 * task had to wait, more nodes change nothing and the makespan is the critical path; across a {@linkplain PlannedTasks barrier}
 * makespans add up; a makespan that is only asked whether it stays below a limit is given up when it cannot; and levels 0 … l have
 * the schedule of levels 0 … m up to the first start of a task beyond l, so that one schedule serves many l.
 *
 * <p>One instance serves all threads: results are written once, and equal in whichever thread they are computed.
 */
public final class RunTimes {
    /** From this number of tasks on it pays to find the makespans of shorter ranges on the way. */
    private static final int LARGE = 5_000;

    private final Workflow workflow;
    private final int large;
    private final int cores;
    private final PlannedTasks tasks;
    private final int[] levelNodes;
    private final ConcurrentHashMap<Long, LevelRange> ranges = new ConcurrentHashMap<>();
    /** Scratch memory that no thread uses at present; guarded by itself. */
    private final ArrayDeque<ListSchedule> spare = new ArrayDeque<>();

    /** For jobs on nodes with a number of cores; refuses a workflow with a task that fits no such node. */
    public RunTimes(Workflow workflow, TaskOrder order, int coresPerNode) {
        this(workflow, order, coresPerNode, LARGE);
    }

    /** Tests make small workflows count as large. */
    RunTimes(Workflow workflow, TaskOrder order, int coresPerNode, int large) {
        if (coresPerNode < 1) {
            throw new IllegalArgumentException("a node has " + coresPerNode + " cores");
        }
        this.workflow = workflow;
        cores = coresPerNode;
        this.large = large;
        for (int task = 0; task < workflow.size(); task++) {
            refuseWider(task, workflow.resources(task));
        }
        tasks = new PlannedTasks(workflow, order);
        levelNodes = levelNodes();
    }

    private void refuseWider(int task, Resources needed) {
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
        LevelRange made = new LevelRange(this, firstLevel, lastLevel);
        return Objects.requireNonNullElse(ranges.putIfAbsent(key(firstLevel, lastLevel), made), made);
    }

    /**
     * Levels first … first, first … first + 1, and so on to first … last. What is found out of the longer ones gives bounds for the
     * shorter ones: so it pays to make them all before the first is asked for its run time, and to ask the longest one first.
     */
    public List<LevelRange> prefixes(int firstLevel, int lastLevel) {
        List<LevelRange> all = new ArrayList<>();
        for (int level = firstLevel; level <= lastLevel; level++) {
            all.add(range(firstLevel, level));
        }
        return all;
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
     * The makespan of what is left of levels first … last: tasks that are done (by number) are left out. A task that is running counts
     * as still to do, for its whole time. Computed each time.
     */
    public long millis(int firstLevel, int lastLevel, int nodes, BitSet done) {
        return range(firstLevel, lastLevel).left(nodes, done);
    }

    /** Core-milliseconds of levels first … last; those of parts of cores where tasks share them. */
    public long work(int firstLevel, int lastLevel) {
        return range(firstLevel, lastLevel).work();
    }

    /** The number of tasks in the widest of levels first … last. */
    public int maxWidth(int firstLevel, int lastLevel) {
        return range(firstLevel, lastLevel).maxWidth();
    }

    /** The longest sum of run times along a path within levels first … last, in milliseconds. */
    public long criticalPath(int firstLevel, int lastLevel) {
        return range(firstLevel, lastLevel).criticalPath();
    }

    /** What no schedule on n nodes can go below: the critical path, and the work shared evenly among all cores. */
    public long lowerBound(int firstLevel, int lastLevel, int nodes) {
        return range(firstLevel, lastLevel).lowerBound(nodes);
    }

    public Workflow workflow() {
        return workflow;
    }

    public int coresPerNode() {
        return cores;
    }

    // --- for the ranges ---

    /** The cores of a node, in parts of cores where tasks share them. */
    int partsPerNode() {
        return tasks.coreParts.of(cores);
    }

    PlannedTasks tasks() {
        return tasks;
    }

    /** From this number of tasks on the makespans of shorter ranges are found on the way. */
    int large() {
        return large;
    }

    /** Nodes on which a level can run all its tasks at once, tasks of each shape on nodes of their own. */
    int levelNodes(int level) {
        return levelNodes[level];
    }

    ListSchedule borrow() {
        @Nullable ListSchedule free;
        synchronized (spare) {
            free = spare.poll();
        }
        return free == null ? new ListSchedule(tasks) : free;
    }

    void giveBack(ListSchedule schedule) {
        synchronized (spare) {
            spare.push(schedule);
        }
    }

    /** Nodes on which the widest of some levels can run at once what of its tasks is not done. */
    int nodesOfRest(int firstLevel, int lastLevel, BitSet done) {
        int[] count = new int[tasks.kinds.length];
        int widest = 0;
        for (int level = firstLevel; level <= lastLevel; level++) {
            widest = Math.max(widest, levelNodes(level, done, count));
        }
        return widest;
    }

    private int[] levelNodes() {
        int[] nodes = new int[tasks.levels];
        int[] count = new int[tasks.kinds.length];
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
            int onANode = partsPerNode() / tasks.kinds[kind].cores();
            sum += ((long) count[kind] + onANode - 1) / onANode * tasks.kinds[kind].nodes();
        }
        return (int) Math.min(Integer.MAX_VALUE, sum);
    }
}
