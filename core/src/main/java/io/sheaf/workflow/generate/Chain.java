package io.sheaf.workflow.generate;

import io.sheaf.workflow.Workflow;

/** A chain: each task after the one before it. */
final class Chain extends Family {
    Chain() {
        super("chain", "a chain of tasks, one after the other", SpreadTimes.PARAMETERS);
    }

    @Override
    public Workflow generate(Recipe recipe) {
        recipe.check(this);
        SpreadTimes times = new SpreadTimes(this, recipe);
        int tasks = SpreadTimes.tasks(recipe);
        Sketch sketch = new Sketch(name() + "-" + tasks);
        for (int i = 0; i < tasks; i++) {
            int task = sketch.task("link", times.next());
            if (i > 0) {
                sketch.edge(task - 1, task);
            }
        }
        return sketch.build(recipe.workMicros());
    }
}
