package io.sheaf.workflow.generate;

import io.sheaf.workflow.Workflow;

/** A bag of tasks: no edges at all. */
final class Bag extends Family {
    Bag() {
        super("bag", "a bag of independent tasks", SpreadTimes.PARAMETERS);
    }

    @Override
    public Workflow generate(Recipe recipe) {
        recipe.check(this);
        SpreadTimes times = new SpreadTimes(this, recipe);
        int tasks = SpreadTimes.tasks(recipe);
        Sketch sketch = new Sketch(name() + "-" + tasks);
        for (int i = 0; i < tasks; i++) {
            sketch.task("item", times.next());
        }
        return sketch.build(recipe.workMicros());
    }
}
