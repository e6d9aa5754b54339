package io.sheaf.platform;

import java.util.Arrays;
import java.util.BitSet;

/** The ready tasks in the order of their ranks. */
final class RankedReadyTasks {
    private final BitSet ready;
    private final int[] taskOf;
    private int[] rank;
    /** No ready task has a lower rank. */
    private int lowest;

    RankedReadyTasks(int tasks) {
        ready = new BitSet(tasks);
        taskOf = new int[tasks];
        rank = new int[tasks];
    }

    boolean isEmpty() {
        return ready.isEmpty();
    }

    void add(int task) {
        ready.set(rank[task]);
        lowest = Math.min(lowest, rank[task]);
    }

    void remove(int task) {
        ready.clear(rank[task]);
    }

    int first() {
        lowest = ready.nextSetBit(lowest);
        return taskOf[lowest];
    }

    int rank(int task) {
        return rank[task];
    }

    /** The first ready task of this rank or a later one, or −1. */
    int from(int atLeast) {
        int next = ready.nextSetBit(atLeast);
        return next < 0 ? -1 : taskOf[next];
    }

    /** Orders the tasks by other ranks from now on. */
    void order(int[] newRank) {
        if (Arrays.equals(newRank, rank)) {
            return;
        }
        int[] tasks = ready.stream().map(at -> taskOf[at]).toArray();
        ready.clear();
        lowest = 0;
        rank = newRank;
        for (int task = 0; task < newRank.length; task++) {
            taskOf[newRank[task]] = task;
        }
        for (int task : tasks) {
            ready.set(rank[task]);
        }
    }

    void copy(RankedReadyTasks other) {
        ready.clear();
        ready.or(other.ready);
        System.arraycopy(other.taskOf, 0, taskOf, 0, taskOf.length);
        rank = other.rank;
        lowest = other.lowest;
    }
}
