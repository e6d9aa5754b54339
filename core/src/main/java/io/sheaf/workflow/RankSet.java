package io.sheaf.workflow;

/**
 * A set of ranks, which are small numbers, with fast access to the lowest, the highest and the n-th: a bit set with two levels of summary bits.
 *
 * <p>Adding and removing take a few instructions for any size.
 */
public final class RankSet {
    private final long[] bits;
    private final long[] words;
    private final long[] blocks;
    private int size;

    public RankSet(int ranks) {
        bits = new long[(ranks >> 6) + 1];
        words = new long[(ranks >> 12) + 1];
        blocks = new long[(ranks >> 18) + 1];
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public boolean contains(int rank) {
        return (bits[rank >> 6] & (1L << rank)) != 0;
    }

    /** Adds a rank that must not be in the set. */
    public void add(int rank) {
        bits[rank >> 6] |= 1L << rank;
        words[rank >> 12] |= 1L << (rank >> 6);
        blocks[rank >> 18] |= 1L << (rank >> 12);
        size++;
    }

    /** Removes a rank that must be in the set. */
    public void remove(int rank) {
        size--;
        if ((bits[rank >> 6] &= ~(1L << rank)) == 0 && (words[rank >> 12] &= ~(1L << (rank >> 6))) == 0) {
            blocks[rank >> 18] &= ~(1L << (rank >> 12));
        }
    }

    /** The lowest rank; the set must not be empty. */
    public int first() {
        int block = 0;
        while (blocks[block] == 0) {
            block++;
        }
        int word = (block << 6) + Long.numberOfTrailingZeros(blocks[block]);
        int bit = (word << 6) + Long.numberOfTrailingZeros(words[word]);
        return (bit << 6) + Long.numberOfTrailingZeros(bits[bit]);
    }

    public int removeFirst() {
        int rank = first();
        size--;
        if ((bits[rank >> 6] &= bits[rank >> 6] - 1) == 0 && (words[rank >> 12] &= words[rank >> 12] - 1) == 0) {
            blocks[rank >> 18] &= blocks[rank >> 18] - 1;
        }
        return rank;
    }

    /** The highest rank; the set must not be empty. */
    public int last() {
        int block = blocks.length - 1;
        while (blocks[block] == 0) {
            block--;
        }
        int word = (block << 6) + 63 - Long.numberOfLeadingZeros(blocks[block]);
        int bit = (word << 6) + 63 - Long.numberOfLeadingZeros(words[word]);
        return (bit << 6) + 63 - Long.numberOfLeadingZeros(bits[bit]);
    }

    /** The rank with a given count of lower ranks in the set. */
    public int get(int lower) {
        int remaining = lower;
        int word = 0;
        while (remaining >= Long.bitCount(bits[word])) {
            remaining -= Long.bitCount(bits[word++]);
        }
        long rest = bits[word];
        for (; remaining > 0; remaining--) {
            rest &= rest - 1;
        }
        return (word << 6) + Long.numberOfTrailingZeros(rest);
    }

    /** Copies a set of the same size. */
    public void copy(RankSet other) {
        System.arraycopy(other.bits, 0, bits, 0, bits.length);
        System.arraycopy(other.words, 0, words, 0, words.length);
        System.arraycopy(other.blocks, 0, blocks, 0, blocks.length);
        size = other.size;
    }

    public void clear() {
        while (size > 0) {
            removeFirst();
        }
    }
}
