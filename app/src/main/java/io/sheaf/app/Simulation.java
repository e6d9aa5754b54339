package io.sheaf.app;

import io.sheaf.report.BackgroundLoad;
import io.sheaf.report.RunRecord;
import io.sheaf.sim.BackgroundCost;
import io.sheaf.sim.SimulatedRun;

/**
 * A simulated run and all that is known of it.
 *
 * @param makespan as the profile counts it, in milliseconds
 * @param where the cluster, its queue and the instant, in words
 */
record Simulation(
        RunRecord record, SimulatedRun run, long makespan, BackgroundCost cost, BackgroundLoad load, String where) {
    /** Workflow, strategy and cluster in one line. */
    String title() {
        return record.workflow().name() + " with " + record.strategy() + " on " + where;
    }
}
