package io.sheaf.workflow.generate;

import io.sheaf.random.RandomStream;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes the tasks of a workflow moldable by Amdahl's law: T(c) = T(1) · (s + (1 − s) / c) with a serial fraction s for each category.
 *
 * <p>Programs differ, so the serial fraction of a category is drawn between 0 and twice the mean, from the name of the category. The run times of the workflow count as those on one core.
 *
 * @param serial the mean serial fraction, from 0 to 0.5
 * @param counts the core counts that a task may run on
 * @param overNodes whether a task has one core on each of its nodes; else all cores on one node
 */
public record Amdahl(double serial, List<Integer> counts, boolean overNodes) {
    public Amdahl {
        counts = List.copyOf(counts);
    }

    /** The workflow with moldable tasks. A task declares the largest count at which its cores are used by half. */
    public Workflow of(Workflow workflow) {
        WorkflowBuilder builder = workflow.extend();
        RandomStream fractions = new RandomStream(0).split("serial fractions");
        for (int task = 0; task < workflow.size(); task++) {
            long alone = workflow.timeMicros(task);
            if (alone > 0) {
                double drawn = fractions.split(workflow.category(task).name()).nextDouble();
                Scaling table = table(alone, 2 * serial * drawn);
                int usual = overNodes ? Math.max(2, table.usual()) : table.usual();
                builder.scaling(task, table)
                        .resources(task, overNodes ? Resources.ONE_CORE.nodes(usual) : Resources.ONE_CORE.cores(usual))
                        .time(task, table.on(usual));
            }
        }
        return builder.build();
    }

    private Scaling table(long alone, double fraction) {
        Map<Integer, Long> table = new TreeMap<>();
        counts.forEach(count -> table.put(count, Math.max(1, Math.round(alone * (fraction + (1 - fraction) / count)))));
        return new Scaling(table);
    }
}
