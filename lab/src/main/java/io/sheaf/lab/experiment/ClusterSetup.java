package io.sheaf.lab.experiment;

import io.sheaf.batch.Policy;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.TraceRules;

/**
 * A cluster with everybody else's jobs on it, and how it schedules.
 *
 * @param scaleLoad as it is written
 * @param from where the period that is replayed begins, in milliseconds after the log's first submission
 */
public record ClusterSetup(
        String name,
        Workload load,
        int nodes,
        int procsPerNode,
        Policy policy,
        ClusterEntry.Order order,
        TraceRules.Cancelled cancelled,
        String scaleLoad,
        long from) {
    /** The jobs that are replayed; time begins with the period. */
    public JobLog jobs(Conventions conventions, RequestAccuracy accuracy, long seed) {
        JobLog jobs = TraceRules.forNodes(nodes)
                .withProcsPerNode(procsPerNode)
                .with(cancelled)
                .with(conventions.loader())
                .with(accuracy.rule())
                .withScaleLoad(Double.parseDouble(scaleLoad))
                .withPeriod(from, Long.MAX_VALUE)
                .with(TraceRules.Times.FROM_PERIOD)
                .apply(load.log())
                .jobs();
        return accuracy.applied(jobs, seed);
    }
}
