package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Policy;
import io.sheaf.batch.QueueOrder;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import io.sheaf.random.RandomStream;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests auto in simulated queues: makespans, and limits on submissions for many clusters, policies and errors of
 * estimates.
 */
class AutoTest {
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;

    @ParameterizedTest
    @CsvSource({
        "16, 1, 2",
        "16, 1, 1",
        "16, 4, 128",
        "100, 1, 4",
        "100, 32, 16",
        "1000, 1, 32",
        "10000, 1, 4",
        "10000, 64, 128"
    })
    void autoCompletesWithFewSubmissionsOnClustersOfAllSizes(int nodes, int cores, int cap) {
        Policy[] policies = {
            Policy.conservative(),
            Policy.easy(),
            Policy.fcfs(),
            Policy.easy().withOrder(QueueOrder.SMALL),
            Policy.depth(4).withOrder(QueueOrder.LARGE)
        };
        for (int seed = 0; seed < policies.length; seed++) {
            RandomStream random = new RandomStream(nodes + seed);
            Workflow workflow = RandomRuns.workflow(random, cores);
            SimulatedQueue queue = new SimulatedQueue(RandomRuns.background(random, nodes), policies[seed], nodes);
            queue.advanceTo(6 * HOUR);
            Watched auto = watched("auto", workflow, cores);
            SimulatedRun run = WorkflowSimulation.run(
                    queue,
                    workflow,
                    auto,
                    SimulationSetup.of(Profile.OWN, Resources.node(cores), cap).taking(TaskTimes.spread(0.3, seed)),
                    DecisionSink.NOTHING);
            assertThat(run.completed()).as(nodes + " nodes, seed " + seed).isTrue();
            assertThat(auto.maxQueued).isLessThanOrEqualTo(12);
            assertThat(auto.maxSubmissionsPerHour()).isLessThanOrEqualTo(40);
        }
    }

    /** Without estimates auto drains no running job for one that is only assumed to start. */
    @Test
    void withoutEstimatesAutoIsNoSlowerThanOneJob() {
        double[] hours = new double[2];
        for (int seed = 0; seed < 24; seed++) {
            RandomStream random = new RandomStream(2_500 + seed);
            Workflow workflow = RandomRuns.workflow(random, 1);
            JobLog background = RandomRuns.background(random, 32);
            for (int i = 0; i < hours.length; i++) {
                SimulatedQueue queue = new SimulatedQueue(background, Policy.easy(), 32);
                queue.advanceTo(6 * HOUR);
                SimulationSetup setup = SimulationSetup.of(Profile.OWN, Resources.node(1), 16)
                        .estimating((estimator, known) -> StartEstimator.UNINFORMED);
                Strategy strategy = watched(i == 0 ? "auto" : "onejob", workflow, 1);
                SimulatedRun run = WorkflowSimulation.run(queue, workflow, strategy, setup, DecisionSink.NOTHING);
                assertThat(run.completed()).isTrue();
                hours[i] += (double) run.makespanMillis() / HOUR;
            }
        }
        assertThat(hours[0]).isLessThanOrEqualTo(hours[1]);
    }

    /**
     * Three of four nodes are busy for 20 hours, and then all for ten. A job of four nodes would wait for 30 hours;
     * small jobs do the two hours of work on the free node.
     */
    @Test
    void withoutEstimatesSmallJobsUseFreeNodes() {
        JobLog.Builder background = JobLog.builder();
        background.add(1, 0, 20 * HOUR, 20 * HOUR, 3, 1);
        background.add(2, MINUTE, 10 * HOUR, 10 * HOUR, 4, 2);
        Workflow workflow = wide(12, 600_000_000L);
        SimulatedQueue queue = new SimulatedQueue(background.build(), Policy.easy(), 4);
        queue.advanceTo(HOUR);
        SimulationSetup setup = SimulationSetup.of(Profile.OWN, Resources.node(1), 16)
                .estimating((estimator, known) -> StartEstimator.UNINFORMED);
        SimulatedRun run =
                WorkflowSimulation.run(queue, workflow, watched("auto", workflow, 1), setup, DecisionSink.NOTHING);
        assertThat(run.makespanMillis()).isLessThan(3 * HOUR);
        assertThat(run.jobsSubmitted()).isLessThan(12);
    }

    /** If all nodes are free, the makespan is within a twentieth of that of the fastest single job. */
    @Test
    void onAnIdleClusterAutoIsAboutAsFastAsOneJob() {
        for (int seed = 0; seed < 40; seed++) {
            RandomStream random = new RandomStream(seed);
            Workflow workflow = RandomRuns.workflow(random, 1);
            long[] makespans = new long[2];
            String[] names = {"auto", "onejob"};
            for (int s = 0; s < 2; s++) {
                SimulatedQueue queue = new SimulatedQueue(JobLog.builder().build(), Policy.conservative(), 32);
                makespans[s] = WorkflowSimulation.run(
                                queue,
                                workflow,
                                watched(names[s], workflow, 1),
                                SimulationSetup.of(Profile.OWN, Resources.node(1), 4),
                                DecisionSink.NOTHING)
                        .makespanMillis();
            }
            assertThat(makespans[0]).as("seed " + seed).isLessThanOrEqualTo(makespans[1] * 21 / 20 + MINUTE);
        }
    }

    /** Independent tasks of equal length. */
    private static Workflow wide(int tasks, long micros) {
        WorkflowBuilder builder = new WorkflowBuilder("wide");
        for (int i = 0; i < tasks; i++) {
            builder.time(builder.task("t" + i), micros);
        }
        return builder.build();
    }

    /** The makespan of a workflow that is submitted after an hour, on 64 nodes. */
    private static long makespan(String strategy, Workflow workflow, JobLog background) {
        SimulatedQueue queue = new SimulatedQueue(background, Policy.easy(), 64);
        queue.advanceTo(HOUR);
        return WorkflowSimulation.run(
                        queue,
                        workflow,
                        watched(strategy, workflow, 1),
                        SimulationSetup.of(Profile.OWN, Resources.node(1), 4),
                        DecisionSink.NOTHING)
                .makespanMillis();
    }

    /** All free nodes are used, as by one job, also if their number is not a round one. */
    @Test
    void autoUsesAllFreeNodes() {
        Workflow workflow = wide(93, 600_000_000L);
        for (int free = 5; free <= 60; free += 5) {
            JobLog.Builder background = JobLog.builder();
            background.add(1, 0, 100 * HOUR, 100 * HOUR, 64 - free, 1);
            assertThat(makespan("auto", workflow, background.build()))
                    .as(free + " free")
                    .isLessThanOrEqualTo(makespan("onejob", workflow, background.build()));
        }
    }

    /**
     * Some nodes are free for a quarter of an hour, then a job has all 64 for long. 60 tasks of a minute fit into that
     * on 6 nodes or more. Most numbers of free nodes are not among the counts that auto tries in steps: on 22 nodes the
     * run takes 3 minutes, on 18 it takes 4.
     */
    @Test
    void autoUsesAllNodesOfABackfillHole() {
        Workflow workflow = wide(60, 60_000_000L);
        for (int free = 8; free <= 32; free++) {
            JobLog.Builder background = JobLog.builder();
            background.add(1, 0, HOUR + 15 * MINUTE, HOUR + 15 * MINUTE, 64 - free, 1);
            background.add(2, MINUTE, 100 * HOUR, 100 * HOUR, 64, 2);
            assertThat(makespan("auto", workflow, background.build()))
                    .as(free + " free")
                    .isLessThanOrEqualTo(makespan("onejob", workflow, background.build()));
        }
    }

    /**
     * Six nodes: three are busy for 100 minutes, then four for ten. Two are free for long, a third one for 100 minutes.
     * A task of two hours is followed by three of one hour, so a third node gains an hour. A job with just the walltime
     * of these tasks would start at once, have no ready task, be cancelled, and be submitted again.
     */
    @Test
    void aJobForLaterTasksDoesNotStartBeforeThem() {
        JobLog.Builder background = JobLog.builder();
        background.add(1, 0, HOUR + 100 * MINUTE, HOUR + 100 * MINUTE, 3, 1);
        background.add(2, 30 * MINUTE, 10 * MINUTE, 10 * MINUTE, 4, 2);
        WorkflowBuilder builder = new WorkflowBuilder("late");
        int first = builder.task("first");
        builder.time(first, 120 * MINUTE * 1_000);
        for (int i = 0; i < 3; i++) {
            int later = builder.task("later" + i);
            builder.time(later, HOUR * 1_000);
            builder.edge(first, later);
        }
        Workflow workflow = builder.build();
        SimulatedQueue queue = new SimulatedQueue(background.build(), Policy.easy(), 6);
        queue.advanceTo(HOUR);
        SimulatedRun run = WorkflowSimulation.run(
                queue,
                workflow,
                watched("auto", workflow, 1),
                SimulationSetup.of(Profile.OWN, Resources.node(1), 16),
                DecisionSink.NOTHING);
        assertThat(run.makespanMillis()).isEqualTo(3 * HOUR);
        assertThat(run.jobsSubmitted()).isEqualTo(2);
    }

    /**
     * Without surprises auto allocates at most the stated multiple of the work; without the limit some runs allocate
     * more.
     */
    @Test
    void autoNeverAllocatesMoreThanTheStatedMultipleOfTheWork() {
        int exceeding = 0;
        for (int seed = 0; seed < 40; seed++) {
            RandomStream random = new RandomStream(seed);
            Workflow workflow = RandomRuns.workflow(random, 1);
            JobLog background = RandomRuns.background(random, 32);
            Policy policy = seed % 2 == 0 ? Policy.conservative() : Policy.easy();
            SimulatedRun[] runs = new SimulatedRun[2];
            String[] names = {"auto:most=1.5", "auto"};
            for (int s = 0; s < 2; s++) {
                SimulatedQueue queue = new SimulatedQueue(background, policy, 32);
                queue.advanceTo(6 * HOUR);
                runs[s] = WorkflowSimulation.run(
                        queue,
                        workflow,
                        watched(names[s], workflow, 1),
                        SimulationSetup.of(Profile.OWN, Resources.node(1), 8),
                        DecisionSink.NOTHING);
            }
            assertThat(runs[0].completed()).as("seed " + seed).isTrue();
            assertThat((double) runs[0].allocatedNodeMillis())
                    .as("seed " + seed)
                    .isLessThanOrEqualTo(1.5 * runs[0].usedNodeMillis() + MINUTE);
            exceeding += runs[1].allocatedNodeMillis() > 1.5 * runs[1].usedNodeMillis() + MINUTE ? 1 : 0;
        }
        assertThat(exceeding).isPositive();
    }

    /**
     * Tasks that take a third or three times as long as expected: pilot jobs expire, and auto continues without
     * submitting more often.
     */
    @ParameterizedTest
    @CsvSource({"2, 0.7", "4, 1.1", "16, 1.1", "128, 1.5"})
    void autoCompletesDespiteWrongRunTimesAndExpiredJobs(int cap, double spread) {
        int expired = 0;
        for (int seed = 0; seed < 12; seed++) {
            RandomStream random = new RandomStream(100 + seed);
            Workflow workflow = RandomRuns.workflow(random, 4);
            Policy policy = seed % 3 == 0
                    ? Policy.easy().withOrder(QueueOrder.SMALL)
                    : seed % 3 == 1 ? Policy.easy() : Policy.conservative();
            SimulatedQueue queue = new SimulatedQueue(RandomRuns.background(random, 64), policy, 64);
            queue.advanceTo(6 * HOUR);
            Watched auto = watched("auto:queued=4", workflow, 4);
            SimulatedRun run = WorkflowSimulation.run(
                    queue,
                    workflow,
                    auto,
                    SimulationSetup.of(Profile.OWN, Resources.node(4), cap).taking(TaskTimes.spread(spread, seed)),
                    DecisionSink.NOTHING);
            assertThat(run.completed()).as("seed " + seed).isTrue();
            assertThat(auto.maxQueued).isLessThanOrEqualTo(4);
            assertThat(auto.maxSubmissionsPerHour()).isLessThanOrEqualTo(40);
            expired += run.jobsExpired();
        }
        assertThat(expired).isPositive();
    }

    private static Watched watched(String name, Workflow workflow, int cores) {
        return new Watched(Strategies.named(name, new RunTimes(workflow, Profile.OWN.planOrder(), cores), Profile.OWN));
    }

    /** Counts queued and submitted jobs, and replaces every memo by one read from its text. */
    private static final class Watched implements Strategy {
        private final Strategy strategy;
        private final List<Long> submissions = new ArrayList<>();
        int maxQueued;

        Watched(Strategy strategy) {
            this.strategy = strategy;
        }

        @Override
        public String name() {
            return strategy.name();
        }

        @Override
        public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
            Decision decision = strategy.decide(view, memo, estimator, sink);
            int queued = 0;
            for (int i = 0; i < view.pilotJobs(); i++) {
                queued += view.pilotJob(i).isQueued() ? 1 : 0;
            }
            for (Order order : decision.orders()) {
                if (order instanceof Order.Submit) {
                    submissions.add(view.now());
                    queued++;
                } else if (order instanceof Order.Cancel) {
                    queued--;
                }
            }
            maxQueued = Math.max(maxQueued, queued);
            assertThat(keepsAJob(view, decision))
                    .as("a queued or busy job remains")
                    .isTrue();
            Memo read = strategy.memo(decision.memo().text());
            assertThat(read).isEqualTo(decision.memo());
            return new Decision(decision.orders(), decision.wakeAt(), read);
        }

        /** Whether a queued or busy job remains, if a queued one is cancelled. */
        private static boolean keepsAJob(View view, Decision decision) {
            boolean keeps = false;
            boolean cancels = false;
            for (int i = 0; i < view.pilotJobs(); i++) {
                PilotJob p = view.pilotJob(i);
                boolean cancelled = decision.orders().contains(new Order.Cancel(p.token()));
                cancels |= cancelled && p.isQueued();
                keeps |= !cancelled && (p.isQueued() || p.runningTasks() > 0);
            }
            return keeps || !cancels;
        }

        long maxSubmissionsPerHour() {
            long max = 0;
            for (long from : submissions) {
                max = Math.max(
                        max,
                        submissions.stream()
                                .filter(at -> at >= from && at < from + HOUR)
                                .count());
            }
            return max;
        }
    }
}
