package io.sheaf.batch;

import java.util.Arrays;

/** The queued jobs in queue order: handles sorted by rank, then by arrival. */
final class JobQueue {
    private final JobTable jobs;
    int[] order = new int[16];
    int size;

    JobQueue(JobTable jobs) {
        this.jobs = jobs;
    }

    /** Inserts a job and returns its position. */
    int insert(int job) {
        if (size == order.length) {
            order = Arrays.copyOf(order, 2 * size);
        }
        int at = size > 0 && precedes(job, order[size - 1]) ? position(job) : size;
        System.arraycopy(order, at, order, at + 1, size - at);
        order[at] = job;
        size++;
        return at;
    }

    /** Removes a job and returns the position that it had. */
    int remove(int job) {
        int at = position(job);
        removeAt(at);
        return at;
    }

    void removeAt(int at) {
        size--;
        System.arraycopy(order, at + 1, order, at, size - at);
    }

    /** Restores the order after ranks changed; fast for few changes. */
    void sort() {
        for (int i = 1; i < size; i++) {
            int job = order[i];
            int k = i;
            while (k > 0 && precedes(job, order[k - 1])) {
                order[k] = order[k - 1];
                k--;
            }
            order[k] = job;
        }
    }

    void copyFrom(JobQueue o) {
        if (order.length < o.size) {
            order = new int[o.order.length];
        }
        System.arraycopy(o.order, 0, order, 0, o.size);
        size = o.size;
    }

    /** The first position whose job does not precede the given one. */
    private int position(int job) {
        int low = 0;
        int high = size;
        while (low < high) {
            int mid = (low + high) >>> 1;
            if (precedes(order[mid], job)) {
                low = mid + 1;
            } else {
                high = mid;
            }
        }
        return low;
    }

    private boolean precedes(int a, int b) {
        long x = jobs.rank[a];
        long y = jobs.rank[b];
        return x != y ? x < y : jobs.sequence[a] < jobs.sequence[b];
    }
}
