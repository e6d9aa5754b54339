package io.sheaf.runtime.queue;

/**
 * The state of a task in a queue.
 *
 * @param why the reason of a failure; empty otherwise
 */
public record TaskReport(TaskPhase phase, String why) {}
