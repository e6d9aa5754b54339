package io.sheaf.lab;

import io.sheaf.planner.RankedDag;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.PropertyClass;
import io.sheaf.workflow.generate.Recipe;
import java.util.Map;

/** The random graphs of a class: 25 of each, as in the paper; each has a seed of its own. */
final class PoolDags {
    static final int PER_CLASS = 25;

    /** An edge of weight 1 takes as long as a node of weight 1. */
    private static final double BYTES_PER_SECOND = PropertyClass.BYTES_PER_WEIGHT;

    private PoolDags() {}

    static RankedDag[] of(int number, long seed, double slowness, int share) {
        RankedDag[] dags = new RankedDag[PER_CLASS];
        for (int i = 0; i < PER_CLASS; i++) {
            long own = PER_CLASS * (number - 1L) + i + seed * PER_CLASS * PropertyClass.COUNT;
            Workflow workflow =
                    Families.named("random").generate(new Recipe(0, 0, own, Map.of("class", Integer.toString(number))));
            dags[i] = RankedDag.of(workflow, BYTES_PER_SECOND, slowness, share);
        }
        return dags;
    }
}
