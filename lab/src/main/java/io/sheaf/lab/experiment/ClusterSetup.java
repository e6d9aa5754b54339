package io.sheaf.lab.experiment;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Policy;
import io.sheaf.batch.UserLimits;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.TraceRules;

/**
 * A cluster with its background jobs and scheduling policy.
 *
 * @param order of queued jobs, as written
 * @param scaleLoad the factor of the load, as written
 * @param from the beginning of the replayed period, in milliseconds after the first submission of the log
 * @param pools the node pools of the policy, as written; {@code none} without
 */
public record ClusterSetup(
        String name,
        Workload load,
        int nodes,
        int procsPerNode,
        Policy policy,
        String order,
        TraceRules.Cancelled cancelled,
        String scaleLoad,
        long from,
        String pools) {
    /** The same with limits of each job and of our user. Background jobs are exempt. */
    public ClusterSetup with(JobLimits limits, UserLimits ofOurs) {
        Policy limited = policy.withLimits(limits).withLimits(ofOurs);
        return new ClusterSetup(name, load, nodes, procsPerNode, limited, order, cancelled, scaleLoad, from, pools);
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
