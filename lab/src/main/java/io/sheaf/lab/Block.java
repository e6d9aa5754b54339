package io.sheaf.lab;

import io.sheaf.sim.Conventions;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.TaskTimes;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.sim.campaign.Campaign;
import java.util.List;

/**
 * Runs that share everything but workflow, start and strategy.
 */
final class Block {
    private final Cluster cluster;
    private final Conventions conventions;
    private final Accuracy accuracy;
    private final int coresPerNode;
    private final double spread;
    private final int cap;
    private final long seed;
    private final List<Subject> subjects;
    private final long[] starts;
    private final long firstItem;
    private final boolean expectedStarts;

    Block(
            Cluster cluster,
            Conventions conventions,
            Accuracy accuracy,
            int coresPerNode,
            double spread,
            int cap,
            long seed,
            List<Subject> subjects,
            long[] starts,
            long firstItem,
            boolean expectedStarts) {
        this.cluster = cluster;
        this.conventions = conventions;
        this.accuracy = accuracy;
        this.coresPerNode = coresPerNode;
        this.spread = spread;
        this.cap = cap;
        this.seed = seed;
        this.subjects = subjects;
        this.starts = starts;
        this.firstItem = firstItem;
        this.expectedStarts = expectedStarts;
    }

    Cluster cluster() {
        return cluster;
    }

    Conventions conventions() {
        return conventions;
    }

    Accuracy accuracy() {
        return accuracy;
    }

    int coresPerNode() {
        return coresPerNode;
    }

    /** The deviation of the logarithm of tasks' times; 0 where they are as expected. */
    double spread() {
        return spread;
    }

    int cap() {
        return cap;
    }

    long seed() {
        return seed;
    }

    List<Subject> subjects() {
        return subjects;
    }

    long[] starts() {
        return starts;
    }

    /** The number of its first item in the whole plan; an item is a workflow with a start. */
    long firstItem() {
        return firstItem;
    }

    /** Whether the table tells how well starts of placeholders were foreseen. */
    boolean expectedStarts() {
        return expectedStarts;
    }

    int items() {
        return subjects.size() * starts.length;
    }

    /** Plays the background, ready to run items. */
    Campaign campaign(List<String> strategies) {
        return new Campaign(
                jobs(),
                cluster.policy(),
                cluster.nodes(),
                starts,
                conventions,
                setup(),
                subjects.stream().map(Subject::workflow).toList(),
                strategies);
    }

    /** The jobs of others. */
    JobLog jobs() {
        return cluster.jobs(conventions, accuracy, seed);
    }

    WorkflowSimulation.Setup setup() {
        TaskTimes times = spread == 0 ? TaskTimes.AS_EXPECTED : TaskTimes.spread(spread, seed);
        return new WorkflowSimulation.Setup(conventions.profile(), coresPerNode, cap, times, expectedStarts);
    }
}
