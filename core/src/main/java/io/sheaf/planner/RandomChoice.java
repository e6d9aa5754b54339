package io.sheaf.planner;

import io.sheaf.random.RandomStream;

/** RANDOM: selects a ready job uniformly. The choice depends on the seed and the number of jobs taken before. */
final class RandomChoice implements PoolPolicy {
    private final RandomStream workflows;
    private final RandomStream tasks;

    RandomChoice(long seed) {
        workflows = new RandomStream(seed).split("workflow");
        tasks = new RandomStream(seed).split("task");
    }

    /** Selects a workflow with a probability proportional to its ready jobs. */
    @Override
    public DagPlanner workflow(JobPool pool) {
        int left = workflows.split(pool.taken()).nextInt(pool.ready());
        int number = 0;
        while (left >= pool.workflow(number).ready()) {
            left -= pool.workflow(number++).ready();
        }
        return pool.workflow(number);
    }

    @Override
    public int task(JobPool pool, DagPlanner of) {
        return of.ready(tasks.split(pool.taken()).nextInt(of.ready()));
    }
}
