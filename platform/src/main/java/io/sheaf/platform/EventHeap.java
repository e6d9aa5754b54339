package io.sheaf.platform;

import io.sheaf.batch.InstantHeap;

/** A heap of tokens by key, then by sequence. Keys are at least 0, so that their bits as whole numbers have the same order. */
final class EventHeap {
    private final InstantHeap heap = new InstantHeap();

    int size() {
        return heap.size();
    }

    /** The key of the first token; infinite if empty. */
    double firstKey() {
        return heap.isEmpty() ? Double.POSITIVE_INFINITY : Double.longBitsToDouble(heap.first());
    }

    long firstSequence() {
        return heap.firstTie();
    }

    void add(double key, long sequence, int token) {
        heap.add(Double.doubleToRawLongBits(key), sequence, token);
    }

    /** Takes the first token out. */
    int pop() {
        return heap.remove();
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
        heap.clear();
        while (old.size() > 0) {
            double before = old.firstKey();
            long sequence = old.firstSequence();
            int token = old.pop();
            add(keys.key(token, before), sequence, token);
        }
    }

    void copy(EventHeap other) {
        heap.copyFrom(other.heap);
    }
}
