package io.sheaf.platform;

import java.util.Arrays;

/** The ready tasks in the order of their ranks, as a set of bits. */
final class RankedReadyTasks {
    private final long[] bits;
    private final int[] taskOf;
    private int[] rank;
    private int size;
    /** No bit is set in a word before this one. */
    private int firstWord;

    RankedReadyTasks(int tasks) {
        bits = new long[(tasks + 63) >>> 6];
        taskOf = new int[tasks];
        rank = new int[tasks];
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(int task) {
        int at = rank[task];
        bits[at >>> 6] |= 1L << at;
        firstWord = Math.min(firstWord, at >>> 6);
        size++;
    }

    void remove(int task) {
        int at = rank[task];
        bits[at >>> 6] &= ~(1L << at);
        size--;
    }

    int first() {
        while (bits[firstWord] == 0) {
            firstWord++;
        }
        return taskOf[(firstWord << 6) + Long.numberOfTrailingZeros(bits[firstWord])];
    }

    int rank(int task) {
        return rank[task];
    }

    /** The first ready task of this rank or a later one, or −1. */
    int from(int atLeast) {
        int word = atLeast >>> 6;
        if (word >= bits.length) {
            return -1;
        }
        long left = bits[word] & (-1L << atLeast);
        while (left == 0) {
            if (++word == bits.length) {
                return -1;
            }
            left = bits[word];
        }
        return taskOf[(word << 6) + Long.numberOfTrailingZeros(left)];
    }

    /** Orders the tasks by other ranks from now on. */
    void order(int[] newRank) {
        if (Arrays.equals(newRank, rank)) {
            return;
        }
        int[] ready = new int[size];
        int count = 0;
        for (int task = from(0); task >= 0; task = from(rank[task] + 1)) {
            ready[count++] = task;
        }
        Arrays.fill(bits, 0);
        size = 0;
        firstWord = bits.length;
        rank = newRank;
        for (int task = 0; task < newRank.length; task++) {
            taskOf[newRank[task]] = task;
        }
        for (int task : ready) {
            add(task);
        }
    }

    void copy(RankedReadyTasks other) {
        System.arraycopy(other.bits, 0, bits, 0, bits.length);
        System.arraycopy(other.taskOf, 0, taskOf, 0, taskOf.length);
        rank = other.rank;
        size = other.size;
        firstWord = other.firstWord;
    }
}
