package io.sheaf.predict;

/**
 * What became of a wait that was expected.
 *
 * @param nodes of the job
 * @param walltime of the job, in milliseconds
 * @param expected how long it was expected to wait, in milliseconds
 * @param waited how long it waited, in milliseconds
 */
public record Lesson(int nodes, long walltime, long expected, long waited) {}
