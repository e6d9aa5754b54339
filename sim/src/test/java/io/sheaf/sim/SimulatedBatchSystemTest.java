package io.sheaf.sim;

import io.sheaf.testing.BackEnd;
import io.sheaf.testing.BatchSystemContract;
import io.sheaf.workflow.Workflow;

/** The batch system of simulated runs does what every one must. */
class SimulatedBatchSystemTest extends BatchSystemContract {
    @Override
    protected BackEnd open(Workflow workflow) {
        return new SimulatedBackEnd(workflow, Faults.NONE);
    }

    @Override
    protected long tick() {
        return 60_000;
    }
}
