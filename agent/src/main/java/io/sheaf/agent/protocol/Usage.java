package io.sheaf.agent.protocol;

/**
 * The resource usage of an attempt.
 *
 * @param startMillis when it started, on the node's wall clock
 * @param runMillis how long it ran, on the node's monotonic clock
 * @param peakMemoryBytes the maximum memory of all its processes in a sample, {@link #UNKNOWN} if it was too short for a sample
 * @param cpuMillis processor time of its processes in the last sample, {@link #UNKNOWN} if it was too short for a sample
 * @param readBytes bytes that its processes read by system calls until the last sample, from files, caches and pipes, or {@link #UNKNOWN}
 * @param writtenBytes bytes that they wrote, or {@link #UNKNOWN}
 */
public record Usage(
        long startMillis, long runMillis, long peakMemoryBytes, long cpuMillis, long readBytes, long writtenBytes) {
    public static final long UNKNOWN = -1;

    /** An attempt whose input and output is unknown. */
    public Usage(long startMillis, long runMillis, long peakMemoryBytes, long cpuMillis) {
        this(startMillis, runMillis, peakMemoryBytes, cpuMillis, UNKNOWN, UNKNOWN);
    }

    /** The usage of an attempt that never ran. */
    public static Usage none(long atMillis) {
        return new Usage(atMillis, 0, UNKNOWN, UNKNOWN);
    }

    public long endMillis() {
        return startMillis + runMillis;
    }
}
