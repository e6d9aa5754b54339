package io.sheaf.strategy;

/**
 * The ready tasks as a set of ranks with fast access to the lowest: a bit set with two levels of summary bits.
 *
 * <p>Adding and removing take a few instructions for any size.
 */
final class RankSet {
    private final long[] bits;
    private final long[] words;
    private final long[] blocks;
    private int size;

    RankSet(int ranks) {
        bits = new long[(ranks >> 6) + 1];
        words = new long[(ranks >> 12) + 1];
        blocks = new long[(ranks >> 18) + 1];
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(int rank) {
        bits[rank >> 6] |= 1L << rank;
        words[rank >> 12] |= 1L << (rank >> 6);
        blocks[rank >> 18] |= 1L << (rank >> 12);
        size++;
    }

    /** The lowest rank; the set must not be empty. */
    int first() {
        int block = 0;
        while (blocks[block] == 0) {
            block++;
        }
        int word = (block << 6) + Long.numberOfTrailingZeros(blocks[block]);
        int bit = (word << 6) + Long.numberOfTrailingZeros(words[word]);
        return (bit << 6) + Long.numberOfTrailingZeros(bits[bit]);
    }

    int removeFirst() {
        int rank = first();
        size--;
        if ((bits[rank >> 6] &= bits[rank >> 6] - 1) == 0 && (words[rank >> 12] &= words[rank >> 12] - 1) == 0) {
            blocks[rank >> 18] &= blocks[rank >> 18] - 1;
        }
        return rank;
    }

    /** Copies a set of the same size. */
    void copy(RankSet other) {
        System.arraycopy(other.bits, 0, bits, 0, bits.length);
        System.arraycopy(other.words, 0, words, 0, words.length);
        System.arraycopy(other.blocks, 0, blocks, 0, blocks.length);
        size = other.size;
    }

    void clear() {
        while (size > 0) {
            removeFirst();
        }
    }
}
