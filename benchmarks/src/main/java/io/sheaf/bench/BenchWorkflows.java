package io.sheaf.bench;

import io.sheaf.random.RandomStream;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;

/**
 * Workflows to decide on: published families of 500 tasks for 128 nodes; "layers" (each task after four of the level above) and
 * "forkjoin" of 100,000 tasks in 50 levels for 1,024 nodes.
 */
final class BenchWorkflows {
    private static final int LARGE = 100_000;
    private static final int LEVELS = 50;

    private BenchWorkflows() {}

    static int nodes(String shape) {
        return isLarge(shape) ? 1_024 : 128;
    }

    static Workflow named(String shape) {
        return isLarge(shape) ? large(shape) : Families.named(shape).generate(Recipe.of(500, 3_600_000_000_000L, 7));
    }

    private static boolean isLarge(String shape) {
        return shape.equals("layers") || shape.equals("forkjoin");
    }

    private static Workflow large(String shape) {
        RandomStream random = new RandomStream(5);
        WorkflowBuilder builder = new WorkflowBuilder(shape);
        int above = 0;
        for (int level = 0; level < LEVELS; level++) {
            int first = builder.size();
            boolean join = shape.equals("forkjoin") && level % 2 == 1;
            int width = shape.equals("layers") ? LARGE / LEVELS : join ? 1 : 2 * LARGE / LEVELS;
            for (int i = 0; i < width; i++) {
                int task = builder.task("t" + builder.size());
                builder.time(task, (long) (1e6 * random.uniform(10, 600)));
                if (join) {
                    for (int parent = above; parent < first; parent++) {
                        builder.edge(parent, task);
                    }
                } else {
                    for (int e = 0; level > 0 && e < 4; e++) {
                        builder.edge(above + random.nextInt(first - above), task);
                    }
                }
            }
            above = first;
        }
        return builder.build();
    }
}
