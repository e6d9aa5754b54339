package io.sheaf.workflow;

/**
 * The origin of tasks that are added to a run: a submitted workflow, or a task.
 *
 * @param id its unique name in the run
 * @param owner its owner, a label
 * @param priority higher goes first
 * @param folder where its tasks run; empty for the run's own folder
 */
public record Origin(String id, String owner, int priority, String folder) {}
