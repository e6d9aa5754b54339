package io.sheaf.workflow.generate;

import io.sheaf.random.RandomStream;
import java.util.List;

/** Run times around a mean, as the simple shapes draw them: log-normal, all equal where the spread is 0. */
final class SpreadTimes {
    static final int DEFAULT_TASKS = 100;
    static final List<Family.Parameter> PARAMETERS = List.of(
            new Family.Parameter("time", "10m", "the mean run time of a task"),
            new Family.Parameter("spread", "0", "standard deviation of the run times over their mean, 0 to 10"));

    private final double mean;
    private final double spread;
    private final RandomStream random;

    SpreadTimes(Family family, Recipe recipe) {
        mean = recipe.micros(family, "time");
        spread = recipe.number(family, "spread", 0, 10);
        random = new RandomStream(recipe.seed()).split(family.name());
    }

    double next() {
        return spread == 0 ? mean : random.lognormalAround(mean, spread);
    }

    static int tasks(Recipe recipe) {
        return recipe.tasks() > 0 ? recipe.tasks() : DEFAULT_TASKS;
    }
}
