package io.sheaf.lab.queue;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.UserLimits;
import io.sheaf.lab.experiment.ClusterEntry;
import io.sheaf.lab.experiment.ClusterSetup;
import io.sheaf.lab.experiment.Csv;
import io.sheaf.lab.experiment.RequestAccuracy;
import io.sheaf.lab.experiment.RowColumns;
import io.sheaf.lab.experiment.Section;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.KnownTimes;
import io.sheaf.sim.RunTimeDeviation;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Resources;

/**
 * The parameters that all runs of a block share. A new parameter is a component here, a column below and a list in {@link QueueExperiment}.
 *
 * @param actualTimes the deviation of task run times from the expected ones
 * @param known what runs know of the run times of tasks
 * @param cap the maximum number of queued pilot jobs
 * @param expectedStarts whether the table compares expected with actual starts of pilot jobs
 * @param background whether the table holds the additional queue wait of background jobs
 */
public record QueueSetting(
        ClusterSetup cluster,
        Conventions conventions,
        RequestAccuracy accuracy,
        int coresPerNode,
        RunTimeDeviation actualTimes,
        KnownTimes known,
        int cap,
        long seed,
        boolean expectedStarts,
        boolean background) {
    private static final long HOUR = 3_600_000;

    /** No limit. */
    static final String NONE = "none";

    static final RowColumns<QueueSetting> COLUMNS = new RowColumns<QueueSetting>()
            .add("cluster", s -> s.cluster.name())
            .add("load", s -> s.cluster.load().name())
            .add("nodes", s -> Integer.toString(s.cluster.nodes()))
            .add("policy", QueueSetting::policy)
            .add("order", s -> s.cluster.order())
            .add("placement", s -> Section.name(s.cluster.policy().placement()))
            .add("cancelled", s -> Section.name(s.cluster.cancelled()))
            .add("scale_load", s -> s.cluster.scaleLoad())
            .add("from_seconds", s -> Csv.seconds(s.cluster.from()))
            .add("profile", s -> Section.name(s.conventions))
            .add("estimates", s -> s.accuracy.toString())
            .add("cores_per_node", s -> Integer.toString(s.coresPerNode))
            .add("task_times", QueueSetting::taskTimes)
            .add("cap", s -> Integer.toString(s.cap))
            .add("seed", s -> Long.toString(s.seed));

    /** The scheduling policy and, if there are any, the limits of our jobs and the pools: {@code easy max-time=6h}. */
    private String policy() {
        JobLimits limits = cluster.policy().perJob();
        UserLimits perUser = cluster.policy().perUser();
        boolean anyTime = limits.walltime() == perUser.ofJob().walltime();
        boolean anyNodes = limits.units() == perUser.units();
        return ClusterEntry.depthText(cluster.policy().depth())
                + (anyTime ? "" : " max-time=" + TimeText.text(limits.walltime() * 1000))
                + (anyNodes ? "" : " max-nodes=" + limits.units())
                + (perUser.running() == UserLimits.NONE.running() ? "" : " max-user-jobs=" + perUser.running())
                + (perUser.units() == UserLimits.NONE.units() ? "" : " max-user-nodes=" + perUser.units())
                + (perUser.unitTime() == UserLimits.NONE.unitTime()
                        ? ""
                        : " max-user-node-hours=" + perUser.unitTime() / HOUR)
                + (cluster.pools().equals(NONE) ? "" : " pools=" + cluster.pools());
    }

    /** The times that tasks take and, unless the workflow's are known, what the run knows of them: {@code exact+learnt}. */
    private String taskTimes() {
        return known == KnownTimes.GIVEN ? actualTimes.toString() : actualTimes + "+" + known;
    }

    JobLog jobs() {
        return cluster.jobs(conventions, accuracy, seed);
    }

    SimulationSetup setup() {
        return SimulationSetup.of(conventions.profile(), Resources.node(coresPerNode), cap)
                .taking(actualTimes.times(seed))
                .recording(expectedStarts)
                .rules(actualTimes::rules);
    }
}
