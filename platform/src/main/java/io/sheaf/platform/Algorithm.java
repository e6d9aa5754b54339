package io.sheaf.platform;

/**
 * A list-scheduling algorithm: while a task is ready and a core is idle, pick a task, a cluster and a number of cores.
 *
 * <p>A new algorithm is an instance of this record with its criteria.
 */
public record Algorithm(String name, TaskCriterion tasks, ClusterCriterion clusters, CoreCriterion cores) {}
