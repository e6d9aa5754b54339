package io.sheaf.runtime.past;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sheaf.batch.Policy;
import io.sheaf.batch.QueueSnapshot;
import io.sheaf.batch.QueueSnapshot.Job;
import io.sheaf.manager.DecisionSink;
import io.sheaf.random.RandomStream;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.JobOutcome;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PastQueueTest {
    private static final int NODES = 16;

    /** Each pass plans all queued jobs anew, as Slurm does, since snapshots do not contain earlier plans. */
    private static final int DEPTH = 500;

    private static final long START = 4 * 3_600_000L;
    private static final SimulationSetup SETUP =
            SimulationSetup.of(Profile.OWN, Resources.node(1), 4).recording(true);

    /** About a day of jobs that run for 10 to 100% of their walltimes. */
    private static JobLog background(long seed) {
        RandomStream random = new RandomStream(seed);
        JobLog.Builder jobs = JobLog.builder();
        long at = 0;
        for (int i = 0; i < 300; i++) {
            RandomStream own = random.split(i);
            at += 1_000L * (1 + own.nextInt(600));
            long walltime = 60_000L * (5 + own.nextInt(120));
            long run = 1_000L * Math.max(1, (long) (walltime / 1_000.0 * (0.1 + 0.9 * own.nextDouble())));
            jobs.add(i, at, run, walltime, 1 + own.nextInt(i % 5 == 0 ? NODES : 4), 0);
        }
        return jobs.build();
    }

    /** Three levels of one, twelve and one tasks. */
    private static Workflow workflow() {
        WorkflowBuilder builder = new WorkflowBuilder("fork-join");
        int first = builder.task("first");
        builder.time(first, 600_000_000L);
        int last = builder.task("last");
        builder.time(last, 300_000_000L);
        for (int i = 0; i < 12; i++) {
            int middle = builder.task("middle-" + i);
            builder.time(middle, 1_200_000_000L);
            builder.edge(first, middle);
            builder.edge(middle, last);
        }
        return builder.build();
    }

    private static SimulatedRun simulate(SimulatedQueue queue, String strategy, SimulatedQueue.JobListener listener) {
        Workflow workflow = workflow();
        RunTimes times = new RunTimes(workflow, Profile.OWN.planOrder(), 1);
        return WorkflowSimulation.run(
                queue,
                queue.now(),
                workflow,
                Strategies.named(strategy, times, Profile.OWN),
                SETUP,
                DecisionSink.NOTHING,
                listener,
                null);
    }

    /** Records starts and ends in a queue, and afterwards returns its snapshot at any instant. */
    private static final class Watcher implements SimulatedQueue.JobListener {
        private final JobLog log;
        private final Map<Integer, Long> starts = new HashMap<>();
        private final Map<Integer, Long> ends = new HashMap<>();

        Watcher(JobLog log) {
            this.log = log;
        }

        @Override
        public void started(int handle) {}

        @Override
        public void expired(int handle) {}

        @Override
        public void backgroundStarted(int job, long at) {
            starts.put(job, at);
        }

        @Override
        public void backgroundLeft(int job, long at, JobOutcome outcome) {
            ends.put(job, at);
        }

        QueueSnapshot at(long instant) {
            List<Job> background = new ArrayList<>();
            for (int job = 0; job < log.size() && log.submit(job) <= instant; job++) {
                if (ends.getOrDefault(job, Long.MAX_VALUE) > instant) {
                    long start = starts.getOrDefault(job, Long.MAX_VALUE);
                    background.add(Job.of(
                            "j" + job,
                            log.nodes(job),
                            log.requested(job),
                            start <= instant ? start : QueueSnapshot.QUEUED));
                }
            }
            return QueueSnapshot.of(instant, NODES, DEPTH, background);
        }

        /** A snapshot before and one after each end, and one at each arrival. */
        List<QueueSnapshot> snapshotsBetween(long from, long to) {
            TreeSet<Long> instants = new TreeSet<>(List.of(from));
            ends.values().forEach(end -> instants.addAll(List.of(end - 1, end + 1)));
            for (int job = 0; job < log.size(); job++) {
                instants.add(log.submit(job));
            }
            return instants.subSet(from, true, to, true).stream().map(this::at).toList();
        }
    }

    /** A replay of the strategy that ran, in a queue whose ends are known, reproduces the run. */
    @ParameterizedTest
    @CsvSource({"1,onejob", "1,glume", "2,zhang", "3,onejobpertask", "4,levelbylevel", "5,auto", "6,glume", "7,onejob"})
    void aReplayOfTheSameStrategyReproducesTheRun(long seed, String strategy) {
        JobLog log = background(seed);
        Watcher watcher = new Watcher(log);
        SimulatedQueue queue = new SimulatedQueue(log, Policy.depth(DEPTH), NODES);
        queue.advanceTo(START, watcher);
        SimulatedRun actual = simulate(queue, strategy, watcher);
        queue.advanceTo(actual.end() + 48 * 3_600_000L, watcher);
        PastQueue past = PastQueue.of(watcher.snapshotsBetween(START, actual.end() + 24 * 3_600_000L));
        SimulatedRun replayed = simulate(past.queue().fork(), strategy, new Watcher(log));
        assertThat(actual.completed()).isTrue();
        assertThat(actual.waitMillis()).as("the run waits in the queue").isPositive();
        assertThat(replayed.makespanMillis()).isCloseTo(actual.makespanMillis(), within(1_000L));
        assertThat(replayed.allocatedNodeMillis()).isCloseTo(actual.allocatedNodeMillis(), within(100_000L));
    }

    /** Four nodes, allocated until an end in the middle between two snapshots, 15 s after the first. */
    @Test
    void endsAreAssumedMidwayBetweenSnapshots() {
        Job runs = Job.of("a", 4, 600_000, 1_000_000 - 5_000);
        Job waits = Job.of("b", 2, 60_000, QueueSnapshot.QUEUED);
        Job started = Job.of("b", 2, 60_000, 1_015_000);
        Job later = Job.of("c", 3, 60_000, QueueSnapshot.QUEUED);
        PastQueue past = PastQueue.of(List.of(
                QueueSnapshot.of(1_000_000, 4, Policy.CONSERVATIVE, List.of(runs, waits)),
                QueueSnapshot.of(1_030_000, 4, Policy.CONSERVATIVE, List.of(started, later)),
                QueueSnapshot.of(1_090_000, 4, Policy.CONSERVATIVE, List.of())));
        SimulatedQueue queue = past.queue().fork();
        List<String> events = new ArrayList<>();
        queue.advanceTo(1_200_000, new SimulatedQueue.JobListener() {
            @Override
            public void started(int handle) {}

            @Override
            public void expired(int handle) {}

            @Override
            public void backgroundStarted(int job, long at) {
                events.add(job + " starts at " + (at - 1_000_000) / 1000);
            }

            @Override
            public void backgroundLeft(int job, long at, JobOutcome outcome) {
                events.add(job + " ends at " + (at - 1_000_000) / 1000);
            }
        });
        // b ran from 15 s to the middle of 30 and 90 s, 45 s. c is submitted at 30 s and was only observed waiting: it
        // runs for 30 s.
        assertThat(events)
                .containsExactly("0 ends at 15", "1 starts at 15", "1 ends at 60", "2 starts at 60", "2 ends at 90");
        assertThat(past.unknown())
                .containsExactly(
                        "jobs that were submitted and ended between two of 3 snapshots, up to 1.0 min apart",
                        "how long 1 jobs ran whose start was not observed");
    }

    @Test
    void jobsInTheLastSnapshotRunForTheirWalltime() {
        PastQueue past = PastQueue.of(List.of(
                QueueSnapshot.of(1_000_000, 4, Policy.CONSERVATIVE, List.of(Job.of("a", 4, 600_000, 995_000)))));
        assertThat(past.queue().busyUntil(1_000_000)).containsOnly(595_000);
        assertThat(past.unknown()).hasSize(2);
    }
}
