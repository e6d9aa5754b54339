package io.sheaf.predict;

/**
 * An expected and an actual queue wait.
 *
 * @param nodes of the job
 * @param walltime of the job, in milliseconds
 * @param expected the expected wait, in milliseconds
 * @param waited the actual wait, in milliseconds
 */
public record WaitObservation(int nodes, long walltime, long expected, long waited) {}
