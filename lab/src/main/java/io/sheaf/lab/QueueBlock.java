package io.sheaf.lab;

import io.sheaf.manager.Rules;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.Faults;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.TimesTaken;
import io.sheaf.sim.campaign.Campaign;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Workflows on one background: runs that share everything but workflow, start and strategy. */
final class QueueBlock implements Block {
    private final List<String> strategies;
    private final Cluster cluster;
    private final Conventions conventions;
    private final Accuracy accuracy;
    private final int coresPerNode;
    private final TimesTaken taken;
    private final int cap;
    private final long seed;
    private final List<Subject> subjects;
    private final long[] starts;
    private final boolean expectedStarts;
    private final boolean background;

    QueueBlock(
            List<String> strategies,
            Cluster cluster,
            Conventions conventions,
            Accuracy accuracy,
            int coresPerNode,
            TimesTaken taken,
            int cap,
            long seed,
            List<Subject> subjects,
            long[] starts,
            boolean expectedStarts,
            boolean background) {
        this.strategies = strategies;
        this.cluster = cluster;
        this.conventions = conventions;
        this.accuracy = accuracy;
        this.coresPerNode = coresPerNode;
        this.taken = taken;
        this.cap = cap;
        this.seed = seed;
        this.subjects = subjects;
        this.starts = starts;
        this.expectedStarts = expectedStarts;
        this.background = background;
    }

    List<String> strategies() {
        return strategies;
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

    /** How far tasks' times are from those expected. */
    TimesTaken taken() {
        return taken;
    }

    int cap() {
        return cap;
    }

    @Override
    public long seed() {
        return seed;
    }

    @Override
    public List<String> names() {
        return subjects.stream().map(Subject::name).toList();
    }

    @Override
    public int repeats() {
        return starts.length;
    }

    @Override
    public String identity() {
        return setting()
                + expectedStarts
                + (background ? "background" : "")
                + Arrays.hashCode(starts)
                + starts.length
                + Subject.identity(subjects);
    }

    List<Subject> subjects() {
        return subjects;
    }

    long[] starts() {
        return starts;
    }

    /** Whether the table tells how well starts of pilot jobs were foreseen. */
    boolean expectedStarts() {
        return expectedStarts;
    }

    /** Whether the table tells how much longer others wait. */
    boolean background() {
        return background;
    }

    @Override
    public void run(int threads, int[] items, Sink sink) {
        Part part = Part.of(this, items);
        String setting = setting();
        List<String> beginnings = part.block().subjects.stream()
                .map(subject -> setting + "," + RunTable.subject(subject) + ",")
                .toList();
        int[] here = IntStream.of(items).map(part::here).toArray();
        Campaign campaign = part.block().campaign();
        campaign.run(threads, here, (workflow, start, bound, runs) -> {
            List<String> rows = part.block().rows(beginnings.get(workflow), start, bound, runs);
            sink.ran(part.there(workflow, start), rows);
        });
    }

    private List<String> rows(String beginning, int start, long bound, List<SimulatedRun> runs) {
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < runs.size(); i++) {
            StringBuilder row = new StringBuilder(beginning);
            row.append(RunTable.quoted(strategies.get(i))).append(',');
            RunTable.append(row, this, starts[start], bound, runs.get(i));
            rows.add(row.toString());
        }
        return rows;
    }

    /** The columns that are the same for all its runs. */
    String setting() {
        return new RunTable.Setting(this).text();
    }

    /** Plays the background, ready to run items. */
    private Campaign campaign() {
        return new Campaign(
                jobs(),
                cluster.policy(),
                cluster.nodes(),
                starts,
                conventions,
                setup(),
                subjects.stream().map(Subject::workflow).toList(),
                strategies,
                background);
    }

    /** The jobs of others. */
    JobLog jobs() {
        return cluster.jobs(conventions, accuracy, seed);
    }

    SimulationSetup setup() {
        return new SimulationSetup(
                conventions.profile(),
                coresPerNode,
                cap,
                taken.times(seed),
                expectedStarts,
                Faults.NONE,
                taken.rules(Rules.DEFAULT));
    }
}
