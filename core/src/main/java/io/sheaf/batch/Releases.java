package io.sheaf.batch;

import static io.sheaf.batch.BatchEngine.NEVER;

import java.util.Arrays;

/**
 * A log of the spans that moved jobs released, which finds the first and last released instant since the n-th release.
 *
 * <p>A span matters for the first only if no later one begins earlier, and for the last only if no later one ends later. So two short stacks with
 * binary search suffice.
 */
final class Releases {
    long count;
    private long[] firstNumber = new long[16];
    private long[] first = new long[16];
    private int firsts;
    private long[] lastNumber = new long[16];
    private long[] last = new long[16];
    private int lasts;

    void add(long from, long to) {
        while (firsts > 0 && first[firsts - 1] >= from) {
            firsts--;
        }
        if (firsts == first.length) {
            firstNumber = Arrays.copyOf(firstNumber, 2 * firsts);
            first = Arrays.copyOf(first, 2 * firsts);
        }
        firstNumber[firsts] = count;
        first[firsts++] = from;
        while (lasts > 0 && last[lasts - 1] <= to) {
            lasts--;
        }
        if (lasts == last.length) {
            lastNumber = Arrays.copyOf(lastNumber, 2 * lasts);
            last = Arrays.copyOf(last, 2 * lasts);
        }
        lastNumber[lasts] = count;
        last[lasts++] = to;
        count++;
    }

    /** The first instant of the n-th release or a later one; NEVER if there is none. */
    long firstSince(long n) {
        return n >= count ? NEVER : first[position(firstNumber, firsts, n)];
    }

    /** The end of the releases since the n-th; the minimum if there is none. */
    long lastSince(long n) {
        return n >= count ? Long.MIN_VALUE : last[position(lastNumber, lasts, n)];
    }

    /** Drops entries before the n-th, which are not queried any more. */
    void forgetBefore(long n) {
        int forgotten = position(firstNumber, firsts, n);
        firsts -= forgotten;
        System.arraycopy(firstNumber, forgotten, firstNumber, 0, firsts);
        System.arraycopy(first, forgotten, first, 0, firsts);
        forgotten = position(lastNumber, lasts, n);
        lasts -= forgotten;
        System.arraycopy(lastNumber, forgotten, lastNumber, 0, lasts);
        System.arraycopy(last, forgotten, last, 0, lasts);
    }

    void copyFrom(Releases o) {
        if (first.length < o.firsts) {
            firstNumber = new long[o.first.length];
            first = new long[o.first.length];
        }
        if (last.length < o.lasts) {
            lastNumber = new long[o.last.length];
            last = new long[o.last.length];
        }
        System.arraycopy(o.firstNumber, 0, firstNumber, 0, o.firsts);
        System.arraycopy(o.first, 0, first, 0, o.firsts);
        System.arraycopy(o.lastNumber, 0, lastNumber, 0, o.lasts);
        System.arraycopy(o.last, 0, last, 0, o.lasts);
        firsts = o.firsts;
        lasts = o.lasts;
        count = o.count;
    }

    /** The position of the first number that is at least n. */
    private static int position(long[] numbers, int size, long n) {
        if (size < 2 || numbers[0] >= n) {
            return size > 0 && numbers[0] < n ? 1 : 0;
        }
        int low = 1;
        int high = size;
        while (low < high) {
            int mid = (low + high) >>> 1;
            if (numbers[mid] < n) {
                low = mid + 1;
            } else {
                high = mid;
            }
        }
        return low;
    }
}
