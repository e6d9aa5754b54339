package io.sheaf.workflow;

/**
 * Where tasks come from that are added to a run: a workflow that was handed in, or a task.
 *
 * @param id its name in the run, unlike any other
 * @param owner whose it is, a label
 * @param priority what is higher goes first
 * @param folder where its tasks run; empty for the run's own folder
 */
public record Origin(String id, String owner, int priority, String folder) {}
