package io.sheaf.runtime.past;

import java.util.List;

/**
 * The jobs of others in a queue as they were seen at an instant; times in milliseconds.
 *
 * @param nodes that take jobs
 * @param depth how many waiting jobs the scheduler plans, as a {@link io.sheaf.batch.Policy} has it
 * @param others in the order in which they are considered
 */
public record SeenQueue(long at, int nodes, int depth, List<Other> others) {
    /** In place of a start: it waits. */
    public static final long WAITS = -1;

    public SeenQueue {
        others = List.copyOf(others);
    }

    /**
     * A job of somebody else.
     *
     * @param id by which it is known from one sight to the next
     * @param nodes of those in question
     * @param start when it started, or {@link #WAITS}
     */
    public record Other(String id, int nodes, long walltime, long start) {
        boolean runs() {
            return start != WAITS;
        }
    }
}
