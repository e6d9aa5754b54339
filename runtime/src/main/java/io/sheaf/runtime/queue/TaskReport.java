package io.sheaf.runtime.queue;

/**
 * What is known of a task of a queue.
 *
 * @param why why it failed; empty otherwise
 */
public record TaskReport(TaskPhase phase, String why) {}
