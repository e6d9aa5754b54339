package io.sheaf.formats.wfformat;

/**
 * The resource use of an executed task, for its entry in {@code execution}. The values are {@link #UNKNOWN} if nothing was
 * measured.
 *
 * @param averageCpuPercent 100 for one busy core
 */
public record MeasuredTask(long peakMemoryBytes, double averageCpuPercent, long readBytes, long writtenBytes) {
    public static final long UNKNOWN = -1;

    /** A task without measured values. */
    public static final MeasuredTask NONE = new MeasuredTask(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);
}
