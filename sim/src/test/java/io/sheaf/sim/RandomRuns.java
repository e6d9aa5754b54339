package io.sheaf.sim;

import io.sheaf.random.RandomStream;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;

/** Random workflows and random background load for simulated runs. */
final class RandomRuns {
    private static final long MINUTE = 60_000;

    private RandomRuns() {}

    /** Up to 25 tasks, some of no time, some of two nodes. */
    static Workflow workflow(RandomStream random, int cores) {
        WorkflowBuilder builder = new WorkflowBuilder("random");
        int tasks = random.between(1, 25);
        for (int i = 0; i < tasks; i++) {
            int task = builder.task("t" + i);
            builder.time(task, random.chance(0.05) ? 0 : random.nextInt(7200) * 1_000_000L);
            builder.resources(task, new Resources(random.between(1, cores), 0, 0, random.chance(0.1) ? 2 : 1));
            for (int e = 0; i > 0 && e < random.nextInt(3); e++) {
                builder.edge(random.nextInt(i), task);
            }
        }
        return builder.build();
    }

    /** Half a day of jobs that keep a small cluster busy; few use their whole requested time. */
    static JobLog background(RandomStream random, int nodes) {
        JobLog.Builder log = JobLog.builder();
        long at = 0;
        for (int job = 0; job < 150; job++) {
            at += random.nextInt(20) * MINUTE;
            long requested = random.between(1, 180) * MINUTE;
            long run = random.chance(0.1) ? requested : random.nextLong(requested);
            log.add(job, at, run, requested, random.between(1, nodes), random.nextInt(5));
        }
        return log.build();
    }
}
