package io.sheaf.lab.experiment;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Policy;
import io.sheaf.batch.Pools;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.TraceRules;

/**
 * A cluster with its background jobs and scheduling policy.
 *
 * @param scaleLoad the factor of the load, as written
 * @param from the beginning of the replayed period, in milliseconds after the first submission of the log
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
    /** The same with limits of each job. Background jobs are exempt. */
    public ClusterSetup with(JobLimits limits) {
        return new ClusterSetup(
                name, load, nodes, procsPerNode, policy.withLimits(limits), order, cancelled, scaleLoad, from);
    }

    /** The same with pools, as in {@link Pools#parse}; {@code none} for a cluster without. */
    public ClusterSetup withPools(String pools) {
        Policy pooled = pools.equals("none") ? policy : policy.withPools(Pools.parse(pools, nodes));
        return new ClusterSetup(name, load, nodes, procsPerNode, pooled, order, cancelled, scaleLoad, from);
    }

    /** The replayed jobs; time begins with the period. */
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
