package io.sheaf.strategy;

import io.sheaf.manager.Molding;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A workflow laid out for list scheduling: tasks are sorted by level, then by rank, so that consecutive levels are one range of every array.
 * Immutable.
 *
 * <p>A <em>barrier</em> after level l means that no task of a later level can start before all tasks up to l have ended. This holds exactly if every
 * task of level l + 1 has as parents all tasks u up to level l without a child up to level l. Across a barrier list scheduling restarts on idle
 * nodes, so run times add up.
 */
final class PlannedTasks {
    final int size;
    final int levels;
    /** Level l holds positions levelStart[l] … levelStart[l + 1] − 1. */
    final int[] levelStart;

    final int[] level;
    final int[] taskAt;
    final int[] positionOf;
    final int[] rank;
    final int[] atRank;
    final long[] millis;
    final int[] childStart;
    final int[] children;
    final int[] parentStart;
    /** Ascending for each task. */
    final int[] parents;
    /** The needs of a task, as an index into the arrays of kinds. */
    final int[] kind;

    /** The cores of each kind on a node, in {@linkplain CoreParts parts} of cores if tasks share them; and its number of nodes. */
    final int[] kindCores;

    final int[] kindNodes;

    /** How many tasks of each kind a node runs at once. */
    final int[] onANode;

    /** For each {@linkplain OtherResources other resource}: what a node has, what each kind needs, and what it blocks of a node. */
    final OtherResources counted;

    final long[] otherCapacity;

    final long[][] otherNeeds;
    final long[][] otherBlocked;

    /** The cores, or parts of cores, that a task needs on all its nodes together; and the number of nodes. */
    final long[] cores;

    final int[] nodes;

    /** The choices of cores; null if no task is moldable. */
    final @Nullable Molding molding;

    final CoreParts coreParts;
    /** Core-milliseconds, or those of parts of cores, of all levels before this one. */
    final long[] workBefore;
    /** The same with the cores that tasks block because a node has no more of another resource. */
    final long[] blockedBefore;
    /** Task-milliseconds of all levels before this one. */
    final long[] timeBefore;
    /** Whether there is a barrier between a level and the next one. */
    final boolean[] barrierAfter;

    PlannedTasks(Workflow workflow, TaskOrder order, Resources node) {
        size = workflow.size();
        levels = workflow.levels();
        rank = new int[size];
        atRank = new int[size];
        taskAt = new int[size];
        positionOf = new int[size];
        levelStart = positions(workflow, order.ranks(workflow, node));
        level = new int[size];
        for (int l = 0; l < levels; l++) {
            Arrays.fill(level, levelStart[l], levelStart[l + 1], l);
        }
        millis = new long[size];
        kind = new int[size];
        childStart = new int[size + 1];
        parentStart = new int[size + 1];
        children = new int[workflow.edges()];
        parents = new int[workflow.edges()];
        coreParts = CoreParts.of(workflow);
        molding = Molding.of(workflow);
        OtherResources resources = new OtherResources(workflow, node);
        TaskKinds kinds = new TaskKinds(coreParts, resources, node.cores());
        for (int at = 0; at < size; at++) {
            int task = taskAt[at];
            millis[at] = workflow.timeMillis(task);
            kind[at] = kinds.of(workflow.resources(task));
            edges(workflow, at, task);
        }
        kindCores = kinds.cores();
        kindNodes = kinds.nodes();
        onANode = kinds.onANode();
        otherCapacity = resources.capacity;
        otherNeeds = kinds.others();
        otherBlocked = TaskKinds.blocked(otherNeeds, otherCapacity);
        counted = resources;
        cores = new long[size];
        nodes = new int[size];
        for (int at = 0; at < size; at++) {
            nodes[at] = kindNodes[kind[at]];
            cores[at] = (long) kindCores[kind[at]] * nodes[at];
        }
        timeBefore = new long[levels + 1];
        workBefore = new long[levels + 1];
        blockedBefore = otherCapacity.length == 0 ? workBefore : new long[levels + 1];
        addUp(coreParts.of(node.cores()));
        barrierAfter = barriers();
    }

    private int[] positions(Workflow workflow, int[] ranks) {
        int[] starts = new int[levels + 1];
        for (int task = 0; task < size; task++) {
            starts[workflow.level(task) + 1]++;
            atRank[ranks[task]] = task;
        }
        for (int l = 0; l < levels; l++) {
            starts[l + 1] += starts[l];
        }
        int[] next = Arrays.copyOf(starts, levels);
        for (int r = 0; r < size; r++) {
            int task = atRank[r];
            int at = next[workflow.level(task)]++;
            taskAt[at] = task;
            positionOf[task] = at;
            rank[at] = r;
            atRank[r] = at;
        }
        return starts;
    }

    private void edges(Workflow workflow, int at, int task) {
        int c = childStart[at];
        for (int i = 0; i < workflow.children(task); i++) {
            children[c++] = positionOf[workflow.child(task, i)];
        }
        Arrays.sort(children, childStart[at], c);
        childStart[at + 1] = c;
        int p = parentStart[at];
        for (int i = 0; i < workflow.parents(task); i++) {
            parents[p++] = positionOf[workflow.parent(task, i)];
        }
        Arrays.sort(parents, parentStart[at], p);
        parentStart[at + 1] = p;
    }

    private void addUp(int partsPerNode) {
        try {
            for (int l = 0; l < levels; l++) {
                long time = timeBefore[l];
                long work = workBefore[l];
                for (int at = levelStart[l]; at < levelStart[l + 1]; at++) {
                    time += millis[at];
                    work = Math.addExact(work, Math.multiplyExact(millis[at], cores[at]));
                }
                timeBefore[l + 1] = time;
                workBefore[l + 1] = work;
                if (otherCapacity.length > 0) {
                    blockedBefore[l + 1] = Math.addExact(blockedBefore[l], blocked(l, partsPerNode));
                }
            }
        } catch (ArithmeticException tooMuch) {
            throw new InputException(
                    "the run times times the cores of the tasks add up to more than Sheaf can count; check the tasks' cores and nodes");
        }
    }

    private long blocked(int l, int partsPerNode) {
        long sum = 0;
        for (int at = levelStart[l]; at < levelStart[l + 1]; at++) {
            int k = kind[at];
            boolean byCores = onANode[k] == partsPerNode / kindCores[k];
            long each = byCores ? cores[at] : Math.multiplyExact((long) nodes[at], partsPerNode / onANode[k]);
            sum = Math.addExact(sum, Math.multiplyExact(millis[at], each));
        }
        return sum;
    }

    private boolean[] barriers() {
        int[] open = new int[levels + 1];
        int[] firstChildLevel = new int[size];
        for (int at = 0; at < size; at++) {
            boolean last = childStart[at] == childStart[at + 1];
            firstChildLevel[at] = last ? levels : level[children[childStart[at]]];
            open[level[at]]++;
            open[firstChildLevel[at]]--;
        }
        boolean[] after = new boolean[levels];
        int without = 0;
        for (int l = 0; l + 1 < levels; l++) {
            without += open[l];
            after[l] = true;
            for (int at = levelStart[l + 1]; after[l] && at < levelStart[l + 2]; at++) {
                int waitedFor = 0;
                for (int p = parentStart[at]; p < parentStart[at + 1]; p++) {
                    waitedFor += firstChildLevel[parents[p]] == l + 1 ? 1 : 0;
                }
                after[l] = waitedFor == without;
            }
        }
        return after;
    }

    /** The number of a task's parents at or after a position. */
    int parentsFrom(int at, int from) {
        int first = parentStart[at];
        int end = parentStart[at + 1];
        while (first < end && parents[first] < from) {
            first++;
        }
        return end - first;
    }
}
