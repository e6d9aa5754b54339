package io.sheaf.workflow.generate;

import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A workflow under construction: weighted tasks, named by category and number ({@code merge_0}), and edges.
 *
 * <p>Weights are microseconds if no total is requested; otherwise each task gets its share of the total (see {@link Shares}).
 */
class Sketch {
    final WorkflowBuilder builder;
    private final Map<String, Integer> counts = new HashMap<>();
    private double[] weight = new double[64];

    Sketch(String name) {
        builder = new WorkflowBuilder(name);
    }

    int task(String category, double itsWeight) {
        int number = counts.merge(category, 1, Integer::sum) - 1;
        return add(category + "_" + number, category, itsWeight);
    }

    final int add(String id, String category, double itsWeight) {
        int task = builder.task(id);
        builder.category(task, category);
        if (task == weight.length) {
            weight = Arrays.copyOf(weight, 2 * task);
        }
        weight[task] = itsWeight;
        return task;
    }

    Sketch edge(int parent, int child) {
        builder.edge(parent, child);
        return this;
    }

    /** Adds an edge with a file of this size. */
    Sketch edge(int parent, int child, long bytes) {
        int file = builder.file(builder.id(parent) + "-" + builder.id(child), bytes);
        builder.output(parent, file).input(child, file).edge(parent, child);
        return this;
    }

    /** The workflow with this total of run times in microseconds; 0 to take the weights as they are. */
    Workflow build(long workMicros) {
        double[] weights = Arrays.copyOf(weight, builder.size());
        long[] micros = workMicros == 0 ? Shares.rounded(weights) : Shares.of(workMicros, weights);
        for (int task = 0; task < micros.length; task++) {
            builder.time(task, micros[task]);
        }
        return builder.build();
    }
}
