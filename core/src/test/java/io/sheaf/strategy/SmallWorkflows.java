package io.sheaf.strategy;

import io.sheaf.random.RandomStream;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;

/** Random workflows that provoke ties, zero times, barriers and tasks of odd shapes. */
final class SmallWorkflows {
    /** The largest node that a task of these workflows needs. */
    static final int CORES = 4;

    private SmallWorkflows() {}

    /** Tasks of one core of one node. */
    static Workflow plain(RandomStream random) {
        return make(random, 0);
    }

    /** Tasks of up to 4 cores on up to 3 nodes. */
    static Workflow shaped(RandomStream random) {
        return make(random, random.nextDouble());
    }

    private static Workflow make(RandomStream random, double shaped) {
        WorkflowBuilder builder = new WorkflowBuilder("small");
        int layers = random.between(1, 6);
        int longest = random.chance(0.3) ? 3 : 50;
        double density = random.nextDouble();
        double fullLayers = random.chance(0.5) ? 0.5 : 0;
        boolean oneShape = random.chance(0.3);
        Resources shape = new Resources(random.between(1, CORES), 0, 0, random.between(1, 3));
        int above = 0;
        for (int layer = 0; layer < layers; layer++) {
            int first = builder.size();
            boolean full = random.chance(fullLayers);
            int width = random.chance(0.3) ? 1 : random.between(1, 9);
            for (int i = 0; i < width; i++) {
                int task = builder.task("t" + builder.size());
                if (!random.chance(0.05)) {
                    builder.time(task, random.nextLong(longest * 1_000L) / 500 * 500);
                }
                if (random.chance(shaped)) {
                    builder.resources(
                            task,
                            oneShape ? shape : new Resources(random.between(1, CORES), 0, 0, random.between(1, 3)));
                }
                for (int parent = 0; parent < first; parent++) {
                    if ((parent >= above && (full || random.chance(density))) || random.chance(density * 0.1)) {
                        builder.edge(parent, task);
                    }
                }
            }
            above = first;
        }
        return builder.build();
    }
}
