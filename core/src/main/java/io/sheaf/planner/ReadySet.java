package io.sheaf.planner;

/** A set of small numbers with fast access to the least, the greatest and the n-th: a bit set with a summary bit for each non-empty word. */
final class ReadySet {
    private final long[] bits;
    private final long[] words;
    private int size;

    ReadySet(int numbers) {
        bits = new long[(numbers >> 6) + 1];
        words = new long[(numbers >> 12) + 1];
    }

    int size() {
        return size;
    }

    boolean contains(int number) {
        return (bits[number >> 6] & (1L << number)) != 0;
    }

    /** Adds a number that must not be in the set. */
    void add(int number) {
        bits[number >> 6] |= 1L << number;
        words[number >> 12] |= 1L << (number >> 6);
        size++;
    }

    /** Removes a number that must be in the set. */
    void remove(int number) {
        size--;
        if ((bits[number >> 6] &= ~(1L << number)) == 0) {
            words[number >> 12] &= ~(1L << (number >> 6));
        }
    }

    /** The least number; the set must not be empty. */
    int first() {
        int block = 0;
        while (words[block] == 0) {
            block++;
        }
        int word = (block << 6) + Long.numberOfTrailingZeros(words[block]);
        return (word << 6) + Long.numberOfTrailingZeros(bits[word]);
    }

    /** The greatest number; the set must not be empty. */
    int last() {
        int block = words.length - 1;
        while (words[block] == 0) {
            block--;
        }
        int word = (block << 6) + 63 - Long.numberOfLeadingZeros(words[block]);
        return (word << 6) + 63 - Long.numberOfLeadingZeros(bits[word]);
    }

    /** The number with a given count of smaller numbers in the set. */
    int get(int smaller) {
        int remaining = smaller;
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
}
