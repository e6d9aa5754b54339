package io.sheaf.strategy;

import java.util.Arrays;

/**
 * The dates at which slots become free, as a tournament tree: each inner node has the minimum of its two children.
 *
 * <p>A key has the date in its upper and the slot in its lower bits. An update visits fixed positions and computes minima without unpredictable
 * branches, which is faster than a heap.
 */
final class EndTree {
    private static final long IDLE = Long.MAX_VALUE;

    private long[] minima = new long[2];
    private int leaves = 1;
    private int slotBits;

    /** All slots idle. */
    void reset(int slots) {
        slotBits = slots == 1 ? 0 : 32 - Integer.numberOfLeadingZeros(slots - 1);
        leaves = 1 << slotBits;
        if (minima.length < 2 * leaves) {
            minima = new long[2 * leaves];
        }
        Arrays.fill(minima, 0, 2 * leaves, IDLE);
    }

    /** Copies a tree with the same number of slots. */
    void copy(EndTree other) {
        System.arraycopy(other.minima, 0, minima, 0, 2 * leaves);
    }

    /** Whether all slots are idle. */
    boolean isEmpty() {
        return minima[1] == IDLE;
    }

    /** The first date at which a slot becomes free. */
    long firstDate() {
        return minima[1] >>> slotBits;
    }

    /** The slot that becomes free at the first date; of several the lowest one. */
    int firstSlot() {
        return (int) minima[1] & (leaves - 1);
    }

    void set(int slot, long date) {
        put(slot, (date << slotBits) | slot);
    }

    void setIdle(int slot) {
        put(slot, IDLE);
    }

    private void put(int slot, long key) {
        long[] all = minima;
        long min = key;
        int at = leaves + slot;
        all[at] = key;
        while (at > 1) {
            min = Math.min(min, all[at ^ 1]);
            at >>= 1;
            all[at] = min;
        }
    }
}
