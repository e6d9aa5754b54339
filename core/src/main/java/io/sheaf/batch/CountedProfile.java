package io.sheaf.batch;

import static io.sheaf.batch.BatchEngine.NEVER;

import java.util.Arrays;

/**
 * Free units over time as sorted parallel arrays: from {@code time[i]} until {@code time[i + 1]} there are {@code free[i]}; the last segment never
 * ends. Neighbours differ. The past is dropped by moving {@code head}; insertions near the front reuse the gap.
 */
final class CountedProfile extends AvailabilityProfile {
    private long[] time = new long[64];
    private int[] free = new int[64];
    private int head;
    private int end;
    /** The last segment found; the guess for the next lookup. */
    int hint;

    /** The index at which the last search for a hole ended; the guess for the next one. */
    int searched;

    CountedProfile(int capacity) {
        clear(Long.MIN_VALUE, capacity);
    }

    @Override
    void clear(long at, int capacity) {
        head = 0;
        end = 1;
        time[0] = at;
        free[0] = capacity;
    }

    @Override
    void advance(long at) {
        while (head + 1 < end && time[head + 1] <= at) {
            head++;
        }
    }

    @Override
    long hole(long from, long before, int units, long walltime) {
        if (from >= before) {
            return NEVER;
        }
        int past = before == NEVER ? end : segment(before - 1) + 1;
        int last = Math.min(past, end - 1);
        int i = segment(from, searched);
        long wide = units;
        long until = from + walltime;
        // Whether a segment is free enough cannot be predicted, so no branch depends on a single one.
        for (; i < last; i++) {
            long next = time[i + 1];
            long tooFull = (free[i] - wide) >> 63;
            until = (until & ~tooFull) | ((next + walltime) & tooFull);
            if (next >= until) {
                searched = i;
                return until - walltime;
            }
        }
        searched = i;
        if (until - walltime < before) {
            while (free[i] >= units) {
                if (++i == end || time[i] >= until) {
                    return until - walltime;
                }
            }
        }
        return NEVER;
    }

    /**
     * As {@link #hole(long, long, int, long)} for a job that holds {@code units} from {@code own} on for its walltime: a hole that reaches
     * its own start continues there. Read-only.
     */
    long hole(long from, long before, int units, long walltime, long own) {
        if (from >= before) {
            return NEVER;
        }
        int i = segment(from);
        long t = from;
        while (true) {
            while (free[i] < units) {
                if (++i == end) {
                    return NEVER;
                }
                if (time[i] >= before) {
                    return NEVER;
                }
                t = time[i];
            }
            long until = Math.min(t + walltime, own);
            do {
                if (++i == end || time[i] >= until) {
                    return t;
                }
            } while (free[i] >= units);
        }
    }

    /** The start of the continuous interval until an instant in which this many units are free; that instant if there is none. */
    long freeSince(long instant, int units) {
        int i = segment(instant - 1);
        if (free[i] < units) {
            return instant;
        }
        while (i > head && free[i - 1] >= units) {
            i--;
        }
        return time[i];
    }

    /** Reports to {@code floors} the runs of free units that overlap [from, to); the span is usually short. */
    void reportRuns(long from, long to, HoleBounds floors) {
        int first = segment(from);
        for (int i = first; i < end && time[i] < to; i++) {
            // Runs that include the previous segment were reported with it. Those of fewer units extend further to both
            // sides.
            int reported = i == first ? 0 : free[i - 1];
            int begin = i;
            int past = i + 1;
            for (int units = Integer.highestOneBit(Math.min(free[i], floors.widest)); units > reported; units >>= 1) {
                while (begin > head && free[begin - 1] >= units) {
                    begin--;
                }
                while (past < end && free[past] >= units) {
                    past++;
                }
                floors.lower(units, time[begin], past == end ? NEVER : time[past]);
            }
        }
    }

    /** Reports the free units from an instant on to {@code recorded}: the maximum first, then fewer for longer. */
    void reportStairs(long from, RecordedSimulation recorded) {
        int i = segment(from);
        int minFree = free[i];
        while (minFree > 0 && ++i < end) {
            if (free[i] < minFree) {
                recorded.stair(minFree, time[i]);
                minFree = free[i];
            }
        }
        recorded.stair(minFree, NEVER);
    }

    /** The least number of free units in [from, to). */
    int minFree(long from, long to) {
        int i = segment(from);
        int minFree = free[i];
        while (++i < end && time[i] < to) {
            minFree = Math.min(minFree, free[i]);
        }
        return minFree;
    }

    /** The next instant after another at which the number of free units changes; NEVER if there is none. */
    long changeAfter(long instant) {
        int i = segment(instant) + 1;
        return i < end ? time[i] : NEVER;
    }

    @Override
    int freeAt(long instant) {
        return free[segment(instant)];
    }

    @Override
    void allocate(long from, long to, int units, int firstUnit) {
        add(from, to, -units);
    }

    @Override
    void release(long from, long to, int units, int firstUnit) {
        add(from, to, units);
    }

    @Override
    void copyFrom(AvailabilityProfile other) {
        CountedProfile o = (CountedProfile) other;
        int n = o.end - o.head;
        if (time.length < n) {
            time = new long[o.time.length];
            free = new int[o.time.length];
        }
        System.arraycopy(o.time, o.head, time, 0, n);
        System.arraycopy(o.free, o.head, free, 0, n);
        head = 0;
        end = n;
    }

    private void add(long from, long to, int change) {
        if (from >= to) {
            return;
        }
        int first = segment(from);
        int last = segment(to);
        boolean fromIsNew = time[first] < from;
        boolean toIsNew = time[last] < to;
        if (fromIsNew && !toIsNew && free[last - 1] + change == free[last]) {
            slideEarlier(first, last, from, change);
        } else if (!fromIsNew && toIsNew && first > head && free[first] + change == free[first - 1]) {
            slideLater(first, last, to, change);
        } else {
            cutAndAdd(first, last, from, to, change);
        }
    }

    /** Removes the breakpoint at {@code last} and inserts one after {@code first}, shifting those between. */
    private void slideEarlier(int first, int last, long instant, int change) {
        for (int i = last; i > first + 1; i--) {
            time[i] = time[i - 1];
            free[i] = free[i - 1] + change;
        }
        time[first + 1] = instant;
        free[first + 1] = free[first] + change;
    }

    /** Removes the breakpoint at {@code first} and inserts one after {@code last}. */
    private void slideLater(int first, int last, long instant, int change) {
        int behind = free[last];
        for (int i = first; i < last; i++) {
            time[i] = time[i + 1];
            free[i] = free[i + 1] + change;
        }
        time[last] = instant;
        free[last] = behind;
    }

    private void cutAndAdd(int first, int last, long from, long to, int change) {
        // Inserting and removing behind a segment changes its index, but not its distance from the head.
        int behind = last - head + (time[first] < from ? 1 : 0);
        int offset = cut(first, from) - head;
        int past = cut(head + behind, to);
        for (int i = head + offset; i < past; i++) {
            free[i] += change;
        }
        merge(past);
        merge(head + offset);
    }

    /** Makes an instant of a segment a breakpoint and returns its index. */
    private int cut(int i, long instant) {
        return time[i] >= instant ? i : insert(i + 1, instant, free[i]);
    }

    /** Inserts a segment, moving the shorter side. */
    private int insert(int at, long instant, int units) {
        if (head > 0 && at - head <= end - at) {
            System.arraycopy(time, head, time, head - 1, at - head);
            System.arraycopy(free, head, free, head - 1, at - head);
            head--;
            at--;
        } else {
            if (end == time.length) {
                at -= makeRoom();
            }
            System.arraycopy(time, at, time, at + 1, end - at);
            System.arraycopy(free, at, free, at + 1, end - at);
            end++;
        }
        time[at] = instant;
        free[at] = units;
        return at;
    }

    /** Makes room after the last segment. Returns by how much the segments moved to the front. */
    private int makeRoom() {
        int moved = head;
        if (head > time.length / 2) {
            System.arraycopy(time, head, time, 0, end - head);
            System.arraycopy(free, head, free, 0, end - head);
            end -= head;
            head = 0;
            return moved;
        }
        time = Arrays.copyOf(time, 2 * time.length);
        free = Arrays.copyOf(free, 2 * free.length);
        return 0;
    }

    /** Removes a breakpoint at which nothing changes. */
    private void merge(int i) {
        if (i > head && i < end && free[i] == free[i - 1]) {
            if (i - head < end - i) {
                System.arraycopy(time, head, time, head + 1, i - head);
                System.arraycopy(free, head, free, head + 1, i - head);
                head++;
            } else {
                System.arraycopy(time, i + 1, time, i, end - i - 1);
                System.arraycopy(free, i + 1, free, i, end - i - 1);
                end--;
            }
        }
    }

    /** The index of the segment that contains an instant; the first one for the past. */
    private int segment(long instant) {
        hint = segment(instant, hint);
        return hint;
    }

    /** The same by exponential search from a hint. */
    private int segment(long instant, int guess) {
        if (head + 1 == end || time[head + 1] > instant) {
            return head;
        }
        int low = Math.max(head, Math.min(guess, end - 1));
        int high;
        int step = 4;
        if (time[low] <= instant) {
            high = low + step;
            while (high < end && time[high] <= instant) {
                low = high;
                step *= 4;
                high = low + step;
            }
            high = Math.min(high, end);
        } else {
            do {
                high = low;
                low = high - step;
                step *= 4;
            } while (low > head && time[low] > instant);
            low = Math.max(low, head);
        }
        int count = high - low;
        while (count > 1) {
            int half = count >>> 1;
            // Written so that it compiles to a conditional move: the outcome cannot be predicted.
            low = time[low + half] <= instant ? low + half : low;
            count -= half;
        }
        return low;
    }
}
