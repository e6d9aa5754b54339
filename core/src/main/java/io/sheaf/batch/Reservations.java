package io.sheaf.batch;

import java.util.Arrays;

/** Fixed reservations, for maintenance: units without jobs in a time span. Few, so searched linearly. */
final class Reservations {
    private int[] number = new int[4];
    int[] units = new int[4];
    int[] pool = new int[4];
    long[] from = new long[4];
    long[] to = new long[4];
    int size;
    private int nextNumber;

    int add(int inPool, int unitCount, long begin, long end) {
        if (size == units.length) {
            number = Arrays.copyOf(number, 2 * size);
            units = Arrays.copyOf(units, 2 * size);
            pool = Arrays.copyOf(pool, 2 * size);
            from = Arrays.copyOf(from, 2 * size);
            to = Arrays.copyOf(to, 2 * size);
        }
        number[size] = nextNumber;
        units[size] = unitCount;
        pool[size] = inPool;
        from[size] = begin;
        to[size] = end;
        size++;
        return nextNumber++;
    }

    /** The index of a reservation; -1 if it does not exist. */
    int indexOf(int reservation) {
        for (int i = 0; i < size; i++) {
            if (number[i] == reservation) {
                return i;
            }
        }
        return -1;
    }

    /** The first end of a reservation after an instant; NEVER if none. */
    long nextEnd(long at) {
        long next = BatchScheduler.NEVER;
        for (int i = 0; i < size; i++) {
            next = to[i] > at ? Math.min(next, to[i]) : next;
        }
        return next;
    }

    void removeAt(int i) {
        size--;
        System.arraycopy(number, i + 1, number, i, size - i);
        System.arraycopy(units, i + 1, units, i, size - i);
        System.arraycopy(pool, i + 1, pool, i, size - i);
        System.arraycopy(from, i + 1, from, i, size - i);
        System.arraycopy(to, i + 1, to, i, size - i);
    }

    void copyFrom(Reservations o) {
        if (units.length < o.size) {
            number = new int[o.size];
            units = new int[o.size];
            pool = new int[o.size];
            from = new long[o.size];
            to = new long[o.size];
        }
        System.arraycopy(o.number, 0, number, 0, o.size);
        System.arraycopy(o.units, 0, units, 0, o.size);
        System.arraycopy(o.pool, 0, pool, 0, o.size);
        System.arraycopy(o.from, 0, from, 0, o.size);
        System.arraycopy(o.to, 0, to, 0, o.size);
        size = o.size;
        nextNumber = o.nextNumber;
    }
}
