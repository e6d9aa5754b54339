package io.sheaf.manager;

/**
 * Equal tasks that are expected to be added when tasks of the run have ended, such as those of a later stage of a pipeline, or of a group over
 * files that a task writes. They size pilot jobs; nothing waits for them.
 *
 * @param millis the expected run time of each, in milliseconds
 * @param cores of each, on one node
 */
public record ExpectedTasks(int count, long millis, int cores) {
    /** The time that they need on some nodes, if they start together. */
    public long millis(int nodes, int coresPerNode) {
        long atOnce = (long) nodes * Math.max(1, coresPerNode / Math.max(1, cores));
        return (count + atOnce - 1) / atOnce * millis;
    }
}
