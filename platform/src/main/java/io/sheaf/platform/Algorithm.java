package io.sheaf.platform;

/**
 * A list-scheduling algorithm: while a task is ready and a core is idle, pick a task, a cluster and a number of cores.
 *
 * <p>A new one is a class with the criteria that it needs and an instance of this record; whatever runs algorithms takes a list of them.
 */
public record Algorithm(String name, TaskCriterion tasks, ClusterCriterion clusters, CoreCriterion cores) {}
