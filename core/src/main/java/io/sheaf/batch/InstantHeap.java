package io.sheaf.batch;

import java.util.Arrays;

/** A priority queue of future events, by instant and then by an explicit tie-break: a 4-ary heap on primitive arrays. */
public final class InstantHeap {
    private long[] instant = new long[64];
    private long[] tie = new long[64];
    private int[] item = new int[64];
    private int size;

    public void add(long at, long tieBreak, int value) {
        if (size == instant.length) {
            instant = Arrays.copyOf(instant, 2 * size);
            tie = Arrays.copyOf(tie, 2 * size);
            item = Arrays.copyOf(item, 2 * size);
        }
        rise(size++, at, tieBreak, value);
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** The first instant; {@link BatchEngine#NEVER} if it is empty. */
    public long first() {
        return size == 0 ? BatchEngine.NEVER : instant[0];
    }

    /** The tie-break of the first event. */
    public long firstTie() {
        return tie[0];
    }

    /** Removes the first event and returns its value. */
    public int remove() {
        if (size == 0) {
            throw new IllegalStateException("nothing is to come");
        }
        int result = item[0];
        size--;
        sink(0, instant[size], tie[size], item[size]);
        return result;
    }

    /** Removes this value by linear search; returns whether it was found. */
    public boolean remove(int value) {
        int i = 0;
        while (i < size && item[i] != value) {
            i++;
        }
        if (i == size) {
            return false;
        }
        size--;
        if (i > 0 && isLess(instant[size], tie[size], (i - 1) >> 2)) {
            rise(i, instant[size], tie[size], item[size]);
        } else {
            sink(i, instant[size], tie[size], item[size]);
        }
        return true;
    }

    /** Makes this an independent copy; allocates nothing once it has grown. */
    public void copyFrom(InstantHeap other) {
        if (instant.length < other.size) {
            instant = new long[other.size];
            tie = new long[other.size];
            item = new int[other.size];
        }
        System.arraycopy(other.instant, 0, instant, 0, other.size);
        System.arraycopy(other.tie, 0, tie, 0, other.size);
        System.arraycopy(other.item, 0, item, 0, other.size);
        size = other.size;
    }

    public void clear() {
        size = 0;
    }

    private void rise(int hole, long at, long tieBreak, int value) {
        int i = hole;
        while (i > 0) {
            int parent = (i - 1) >> 2;
            if (!isLess(at, tieBreak, parent)) {
                break;
            }
            move(parent, i);
            i = parent;
        }
        set(i, at, tieBreak, value);
    }

    private void sink(int hole, long at, long tieBreak, int value) {
        int i = hole;
        while (true) {
            int smallest = 4 * i + 1;
            if (smallest >= size) {
                break;
            }
            int last = Math.min(smallest + 4, size);
            for (int child = smallest + 1; child < last; child++) {
                if (isLess(instant[child], tie[child], smallest)) {
                    smallest = child;
                }
            }
            if (!isLess(instant[smallest], tie[smallest], at, tieBreak)) {
                break;
            }
            move(smallest, i);
            i = smallest;
        }
        set(i, at, tieBreak, value);
    }

    private boolean isLess(long at, long tieBreak, int i) {
        return isLess(at, tieBreak, instant[i], tie[i]);
    }

    private static boolean isLess(long at, long tieBreak, long otherAt, long otherTie) {
        return at < otherAt || (at == otherAt && tieBreak < otherTie);
    }

    private void move(int from, int to) {
        set(to, instant[from], tie[from], item[from]);
    }

    private void set(int i, long at, long tieBreak, int value) {
        instant[i] = at;
        tie[i] = tieBreak;
        item[i] = value;
    }
}
