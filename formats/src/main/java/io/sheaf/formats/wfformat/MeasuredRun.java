package io.sheaf.formats.wfformat;

import java.util.List;
import java.util.function.IntFunction;

/**
 * The execution of a workflow, for {@code execution}.
 *
 * @param startMillis when it started, in milliseconds since 1970
 * @param makespanMillis from there to the end of the last task
 * @param version of Sheaf; empty if unknown
 * @param tasks by number of task; {@link MeasuredTask#NONE} for tasks without measured values
 */
public record MeasuredRun(long startMillis, long makespanMillis, String version, IntFunction<MeasuredTask> tasks) {

    /**
     * The resource use of an executed task, for its entry in {@code execution}. The values are {@link #UNKNOWN} if nothing was
     * measured.
     *
     * @param averageCpuPercent 100 for one busy core
     * @param startMillis when it started, in milliseconds since 1970
     * @param machines the names of its nodes; empty if unknown
     */
    public record MeasuredTask(
            long peakMemoryBytes,
            double averageCpuPercent,
            long readBytes,
            long writtenBytes,
            long startMillis,
            List<String> machines) {
        public static final long UNKNOWN = -1;

        /** A task without measured values. */
        public static final MeasuredTask NONE =
                new MeasuredTask(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, List.of());

        public MeasuredTask {
            machines = List.copyOf(machines);
        }
    }
}
