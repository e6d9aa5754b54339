package io.sheaf.workflow.generate;

import io.sheaf.workflow.Workflow;
import java.util.stream.Stream;

/**
 * Fork and join: a task, w tasks after it, a task after them, and so on for s stages.
 *
 * <p>s w + s + 1 tasks in 2s + 1 levels; w gives the number of tasks nearest to the requested one (the smaller of two), at least 1.
 */
final class ForkJoin extends Family {
    private static final int MOST_STAGES = 1_000_000;

    ForkJoin() {
        super(
                "forkjoin",
                "fork and join, in one stage or several",
                Stream.concat(
                                Stream.of(new Parameter("stages", "1", "how often the workflow forks and joins")),
                                SpreadTimes.PARAMETERS.stream())
                        .toList());
    }

    @Override
    public Workflow generate(Recipe recipe) {
        recipe.check(this);
        int stages = recipe.integer(this, "stages", 1, MOST_STAGES);
        SpreadTimes times = new SpreadTimes(this, recipe);
        int workers = SpreadTimes.tasks(recipe) - stages - 1;
        int width = Math.max(1, (workers + (stages - 1) / 2) / stages);
        int tasks = stages * width + stages + 1;
        Sketch sketch = new Sketch(name() + "-" + tasks);
        int fork = sketch.task("point", times.next());
        for (int stage = 0; stage < stages; stage++) {
            int join = sketch.task("point", times.next());
            for (int i = 0; i < width; i++) {
                int worker = sketch.task("worker", times.next());
                sketch.edge(fork, worker).edge(worker, join);
            }
            fork = join;
        }
        return sketch.build(recipe.workMicros());
    }
}
