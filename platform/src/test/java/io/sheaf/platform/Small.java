package io.sheaf.platform;

import io.sheaf.random.RandomStream;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;

/** Small workflows for tests. */
final class Small {
    private Small() {}

    /** A task that reads 100 MB, takes 10 s and writes 50 MB. */
    static Workflow one() {
        WorkflowBuilder builder = new WorkflowBuilder("one");
        int task = builder.task("only");
        builder.time(task, 10_000_000);
        builder.input(task, builder.file("in", 100_000_000));
        builder.output(task, builder.file("out", 50_000_000));
        return builder.build();
    }

    /**
     * Levels of tasks in three categories; each task reads its own input, a common one and outputs of the level above.
     */
    static Workflow layers(int levels, int width, long seed) {
        RandomStream random = new RandomStream(seed);
        WorkflowBuilder builder = new WorkflowBuilder("layers").fileEdges(true);
        int common = builder.file("common", 20_000_000);
        int[] above = new int[0];
        for (int level = 0; level < levels; level++) {
            int[] files = new int[width];
            for (int i = 0; i < width; i++) {
                int task = builder.task("t" + level + "-" + i);
                builder.time(task, random.between(1, 60) * 1_000_000L);
                builder.category(task, "c" + level % 3);
                builder.input(task, builder.file("in" + level + "-" + i, random.between(0, 3) * 5_000_000L));
                builder.input(task, common);
                for (int k = 0; k < Math.min(2, above.length); k++) {
                    builder.input(task, above[(i + k * 3) % above.length]);
                }
                files[i] = builder.file("out" + level + "-" + i, random.between(0, 40) * 1_000_000L);
                builder.output(task, files[i]);
            }
            above = files;
        }
        return builder.build();
    }
}
