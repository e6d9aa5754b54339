package io.sheaf.sim;

import io.sheaf.testing.BackEnd;
import io.sheaf.testing.BatchSystemContract;
import io.sheaf.workflow.Workflow;

/** Tests that the simulated batch system meets the contract of all batch systems. */
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
