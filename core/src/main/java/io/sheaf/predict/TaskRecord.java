package io.sheaf.predict;

/**
 * The measured resource usage of an attempt of a task.
 *
 * @param cores on each of its nodes
 * @param inputBytes the total size of its inputs; {@link #UNKNOWN} if not known
 * @param millis its run time
 * @param memoryBytes its peak memory; {@link #UNKNOWN} if not measured
 * @param failed whether it failed, so that its run time is not used
 */
public record TaskRecord(String category, int cores, long inputBytes, long millis, long memoryBytes, boolean failed) {
    public static final long UNKNOWN = -1;
}
