package io.sheaf.formats.swf;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A growing column of numbers that takes no memory while all of them are unknown, as many columns of real logs are. */
final class Column {
    private long @Nullable [] values;
    private int size;

    void add(long value) {
        long[] v = values;
        if (v == null) {
            if (value == SwfLog.UNKNOWN) {
                size++;
                return;
            }
            v = new long[Math.max(64, size + 1)];
            Arrays.fill(v, 0, size, SwfLog.UNKNOWN);
        } else if (size == v.length) {
            v = Arrays.copyOf(v, size * 2);
        }
        v[size++] = value;
        values = v;
    }

    long get(int at) {
        long[] v = values;
        if (at < 0 || at >= size) {
            throw new IndexOutOfBoundsException(at + " of " + size + " jobs");
        }
        return v == null ? SwfLog.UNKNOWN : v[at];
    }

    void trim() {
        long[] v = values;
        if (v != null) {
            values = Arrays.copyOf(v, size);
        }
    }
}
