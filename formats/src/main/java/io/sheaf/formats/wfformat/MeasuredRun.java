package io.sheaf.formats.wfformat;

import java.util.function.IntFunction;

/**
 * The execution of a workflow, for {@code execution}.
 *
 * @param startMillis when it started, in milliseconds since 1970
 * @param makespanMillis from there to the end of the last task
 * @param version of Sheaf; empty if unknown
 * @param tasks by number of task; {@link MeasuredTask#NONE} for tasks without measured values
 */
public record MeasuredRun(long startMillis, long makespanMillis, String version, IntFunction<MeasuredTask> tasks) {}
