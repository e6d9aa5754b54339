package io.sheaf.sim;

import io.sheaf.testing.BackEnd;
import io.sheaf.testing.BatchSystemContract;
import io.sheaf.workflow.Workflow;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the simulated batch system with most reports late, duplicated and out of order, for several seeds. */
@ParameterizedClass
@ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
class LateBatchSystemTest extends BatchSystemContract {
    @Parameter
    private long seed;

    @Override
    protected BackEnd open(Workflow workflow) {
        return new SimulatedBackEnd(workflow, Faults.parse("late=0.6,delay=3m,twice=0.4", seed));
    }

    @Override
    protected long tick() {
        return 60_000;
    }
}
