package io.sheaf.runtime.queue;

/**
 * The state of a task in a queue.
 *
 * @param why why it failed; empty otherwise
 */
public record TaskReport(TaskPhase phase, String why) {}
