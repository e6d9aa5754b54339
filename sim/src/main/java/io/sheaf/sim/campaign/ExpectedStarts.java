package io.sheaf.sim.campaign;

import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Order;
import io.sheaf.report.JobRecord;
import io.sheaf.sim.SimulatedRun;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Records the estimated start of each pilot job of a run at its submission. */
final class ExpectedStarts implements DecisionSink {
    private final Map<Long, Long> byToken = new HashMap<>();

    @Override
    public void ordered(Order order, long token, long expectedStart) {
        if (order instanceof Order.Submit) {
            byToken.put(token, expectedStart);
        }
    }

    /** The run with the estimated starts of its pilot jobs. */
    SimulatedRun joined(SimulatedRun run) {
        List<JobRecord> jobs = run.pilotJobs().stream()
                .map(job -> job.estimated(job.claim(), byToken.getOrDefault(job.token(), JobRecord.NEVER)))
                .toList();
        return run.withPilotJobs(jobs);
    }
}
