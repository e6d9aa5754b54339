package io.sheaf.platform;

import java.util.Arrays;

/** A heap of tokens by key, then by sequence, on primitive arrays. */
final class EventHeap {
    private double[] key = new double[16];
    private long[] sequence = new long[16];
    private int[] token = new int[16];
    private int size;

    int size() {
        return size;
    }

    /** The key of the first token; infinite if empty. */
    double firstKey() {
        return size == 0 ? Double.POSITIVE_INFINITY : key[0];
    }

    long firstSequence() {
        return sequence[0];
    }

    void add(double newKey, long newSequence, int newToken) {
        if (size == key.length) {
            key = Arrays.copyOf(key, 2 * size);
            sequence = Arrays.copyOf(sequence, 2 * size);
            token = Arrays.copyOf(token, 2 * size);
        }
        int at = size++;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (!before(newKey, newSequence, parent)) {
                break;
            }
            move(parent, at);
            at = parent;
        }
        set(at, newKey, newSequence, newToken);
    }

    /** Takes the first token out. */
    int pop() {
        int first = token[0];
        size--;
        double lastKey = key[size];
        long lastSequence = sequence[size];
        int at = 0;
        while (true) {
            int child = 2 * at + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && before(key[child + 1], sequence[child + 1], child)) {
                child++;
            }
            if (before(lastKey, lastSequence, child)) {
                break;
            }
            move(child, at);
            at = child;
        }
        set(at, lastKey, lastSequence, token[size]);
        return first;
    }

    /** Computes the key of a token from the token and its previous key. */
    @FunctionalInterface
    interface Keys {
        double key(int token, double before);
    }

    /** Assigns a new key to every token; sequences are unchanged. */
    void rekey(Keys keys) {
        EventHeap old = new EventHeap();
        old.copy(this);
        size = 0;
        for (int i = 0; i < old.size; i++) {
            add(keys.key(old.token[i], old.key[i]), old.sequence[i], old.token[i]);
        }
    }

    private boolean before(double aKey, long aSequence, int b) {
        return aKey < key[b] || (aKey == key[b] && aSequence < sequence[b]);
    }

    private void move(int from, int to) {
        key[to] = key[from];
        sequence[to] = sequence[from];
        token[to] = token[from];
    }

    private void set(int at, double newKey, long newSequence, int newToken) {
        key[at] = newKey;
        sequence[at] = newSequence;
        token[at] = newToken;
    }

    void copy(EventHeap other) {
        size = other.size;
        if (key.length < size) {
            key = new double[other.key.length];
            sequence = new long[other.key.length];
            token = new int[other.key.length];
        }
        System.arraycopy(other.key, 0, key, 0, size);
        System.arraycopy(other.sequence, 0, sequence, 0, size);
        System.arraycopy(other.token, 0, token, 0, size);
    }
}
