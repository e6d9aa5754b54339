package io.sheaf.agent.protocol;

/**
 * What an attempt took.
 *
 * @param startMillis when it started, on the node's wall clock
 * @param runMillis how long it ran, on the node's monotonic clock
 * @param peakMemoryBytes most memory seen at once over its processes, {@link #UNKNOWN} if it was too short to be seen
 * @param cpuMillis processor time of its processes as last seen, {@link #UNKNOWN} if it was too short to be seen
 * @param readBytes what its processes read by system calls as last seen, from files, caches and pipes, or {@link #UNKNOWN}
 * @param writtenBytes what they wrote, or {@link #UNKNOWN}
 */
public record Usage(
        long startMillis, long runMillis, long peakMemoryBytes, long cpuMillis, long readBytes, long writtenBytes) {
    public static final long UNKNOWN = -1;

    /** An attempt whose input and output is unknown. */
    public Usage(long startMillis, long runMillis, long peakMemoryBytes, long cpuMillis) {
        this(startMillis, runMillis, peakMemoryBytes, cpuMillis, UNKNOWN, UNKNOWN);
    }

    /** Of an attempt that never ran. */
    public static Usage none(long atMillis) {
        return new Usage(atMillis, 0, UNKNOWN, UNKNOWN);
    }

    public long endMillis() {
        return startMillis + runMillis;
    }
}
