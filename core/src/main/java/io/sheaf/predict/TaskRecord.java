package io.sheaf.predict;

/**
 * What an attempt of a task took.
 *
 * @param cores on each of its nodes
 * @param inputBytes how large its inputs were together; {@link #UNKNOWN} if nobody knows
 * @param millis how long it ran
 * @param memoryBytes the most memory that it had at once; {@link #UNKNOWN} if nobody looked
 * @param failed whether it failed, so that its time says little
 */
public record TaskRecord(String category, int cores, long inputBytes, long millis, long memoryBytes, boolean failed) {
    public static final long UNKNOWN = -1;
}
