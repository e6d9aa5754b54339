package io.sheaf.strategy;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The capacity of a job's nodes for some tasks: slots if all tasks have the same shape, otherwise nodes with cores.
 *
 * <p>Tasks of c cores have ⌊cores / c⌋ slots on each node, or fewer if memory or another resource does not suffice. Tasks of k nodes have ⌊n / k⌋ slots, if a node can run only one of them at a time.
 *
 * @param cores the cores of a node
 * @param onANode slots on each node; 0 if there are no slots
 * @param nodesOfATask nodes of a slot
 * @param minNodes the fewest nodes on which each task fits
 * @param allNodes the nodes on which all tasks fit at once
 */
record Slots(int cores, int onANode, int nodesOfATask, int minNodes, int allNodes) {
    /** Uses no slots if the dates are too late for the schedule on slots. */
    static Slots of(PlannedTasks tasks, int from, int to, int cores, boolean datesFit) {
        int kind = tasks.kind[from];
        boolean uniform = true;
        int minNodes = 1;
        long sum = 0;
        for (int at = from; at < to; at++) {
            uniform &= tasks.kind[at] == kind;
            int nodes = tasks.nodes[at];
            minNodes = Math.max(minNodes, nodes);
            sum += nodes;
        }
        int allNodes = (int) Math.min(Integer.MAX_VALUE / 4, sum);
        int onANode = tasks.onANode[kind];
        boolean slots = uniform && datesFit && (tasks.kindNodes[kind] == 1 || onANode == 1);
        return new Slots(cores, slots ? onANode : 0, slots ? tasks.kindNodes[kind] : 1, minNodes, allNodes);
    }

    boolean isUniform() {
        return onANode > 0;
    }

    /** Slots on n nodes, or cores if there are no slots. */
    long places(int nodes) {
        return isUniform() ? (long) nodes / nodesOfATask * onANode : (long) nodes * cores;
    }

    /** The fewest nodes with a number of slots, or on which that number of tasks always fits at once. */
    int nodesFor(int count) {
        if (!isUniform()) {
            return allNodes;
        }
        long slotGroups = ((long) count + onANode - 1) / onANode;
        return (int) Math.min(Integer.MAX_VALUE, slotGroups * nodesOfATask);
    }

    /** The makespan on n nodes; see {@link ListSchedule#makespan}. */
    long makespan(LevelRange range, ListSchedule schedule, @Nullable BitSet done, int nodes, long limit) {
        int from = range.from;
        int to = range.to;
        if (isUniform()) {
            int slots = (int) Math.min(to - from, places(nodes));
            return schedule.makespan(from, to, done, slots, limit);
        }
        int useful = Math.min(nodes, allNodes);
        return schedule.onNodes().makespan(from, to, done, useful, cores, range.work(), limit);
    }

    /** The number of nodes from which on the last schedule does not change; {@link Integer#MAX_VALUE} if unknown. */
    int saturation(ListSchedule schedule) {
        if (isUniform()) {
            return schedule.waited ? Integer.MAX_VALUE : nodesFor(schedule.peak);
        }
        NodeSchedule onNodes = schedule.onNodes();
        return onNodes.waited ? Integer.MAX_VALUE : Math.max(minNodes, onNodes.peak);
    }
}
