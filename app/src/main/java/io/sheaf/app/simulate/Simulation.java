package io.sheaf.app.simulate;

import io.sheaf.report.BackgroundLoad;
import io.sheaf.report.Neighbour;
import io.sheaf.report.RunRecord;
import io.sheaf.sim.BackgroundCost;
import io.sheaf.sim.SimulatedRun;
import java.util.List;

/**
 * A simulated run with its record, cost and background load.
 *
 * @param makespan by the profile's definition, in milliseconds
 * @param others the background jobs that ran meanwhile
 * @param where the cluster, its queue and the instant, as text
 */
public record Simulation(
        RunRecord record,
        SimulatedRun run,
        long makespan,
        BackgroundCost cost,
        BackgroundLoad load,
        List<Neighbour> others,
        String where) {
    /** Workflow, strategy and cluster in one line. */
    public String title() {
        return record.workflow().name() + " with " + record.strategy() + " on " + where;
    }
}
