package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Policy;
import io.sheaf.batch.UserLimits;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import io.sheaf.random.RandomStream;
import io.sheaf.report.AttemptRecord;
import io.sheaf.report.JobRecord;
import io.sheaf.strategy.LevelRange;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests properties of every strategy for random workflows, queues, policies and true run times. */
class StrategyPropertiesTest {
    private static final int NODES = 8;
    private static final long MINUTE = 60_000;

    static List<String> names() {
        return List.of(
                "auto",
                "auto:lambda=0,queued=1",
                "auto:lambda=2,queued=16,waste=1",
                "onejob",
                "onejobpertask",
                "levelbylevel",
                "giant",
                "individual",
                "zhang",
                "zhang:global=false,sizing=false,bsearch=false",
                "hybrid",
                "glume",
                "glume:beat=0.2",
                "glume:fallback=true",
                "glume:split=vertical",
                "glume:fallback=true,split=vertical,leeway=dependency",
                "glume:leeway=dependency",
                "zhang:leeway=dependency",
                "bigjob:cores=4",
                "perstage",
                "asa",
                "asa:cores=6,estimate=45m",
                "asa-naive",
                "asa-naive:estimate=45m",
                "asa-naive:estimate=45m,hold=true");
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyTaskCompletesOnceWithinItsPilotJob(String name) {
        for (int seed = 0; seed < 60; seed++) {
            RandomStream random = new RandomStream(seed);
            int cores = random.chance(0.7) ? 1 : 4;
            Workflow workflow = RandomRuns.workflow(random, cores);
            Policy policy = random.chance(0.6) ? Policy.conservative() : Policy.depth(random.nextInt(3));
            SimulatedQueue queue = new SimulatedQueue(RandomRuns.background(random, NODES), policy, NODES);
            queue.advanceTo(random.nextInt(600) * MINUTE);
            // True run times up to a few times the expected ones: pilot jobs expire.
            TaskTimes times = random.chance(0.5) ? TaskTimes.AS_EXPECTED : TaskTimes.spread(0.5, seed);
            Profile profile = random.chance(0.5) ? Profile.OWN : Profile.THESIS;
            Watched strategy =
                    new Watched(Strategies.named(name, new RunTimes(workflow, profile.planOrder(), cores), profile));
            int cap = random.between(2, 16);
            SimulatedRun run = WorkflowSimulation.run(
                    queue,
                    workflow,
                    strategy,
                    SimulationSetup.of(profile, Resources.node(cores), cap)
                            .taking(times)
                            .recording(true),
                    DecisionSink.NOTHING);
            assertThat(run.completed()).as(name + " seed " + seed).isTrue();
            checkTasks(workflow, run);
            checkPilotJobs(run, cap);
            if (name.startsWith("glume") && !name.contains("fallback") && !name.contains("vertical")) {
                assertThat(strategy.maxQueued).isLessThanOrEqualTo(1);
            }
            assertThat(queue.ownJobs()).as("own jobs left in the queue").isZero();
        }
    }

    /** Walltimes from the longest task to a few times of that, job sizes from the widest task to the cluster; at times not in whole minutes. */
    @ParameterizedTest
    @MethodSource("names")
    void noRequestExceedsALimitAndEveryTaskRuns(String name) {
        for (int seed = 0; seed < 60; seed++) {
            RandomStream random = new RandomStream(seed);
            int cores = random.chance(0.7) ? 1 : 4;
            Workflow workflow = RandomRuns.workflow(random, cores);
            long longest = 2 * MINUTE;
            int widest = 1;
            for (int task = 0; task < workflow.size(); task++) {
                longest = Math.max(longest, workflow.timeMicros(task) / 1000);
                widest = Math.max(widest, workflow.resources(task).nodes());
            }
            boolean late = random.chance(0.3);
            JobLimits limits = new JobLimits(
                    random.between(widest, NODES), (late ? 3 : 1) * longest + random.nextLong(1 + 3 * longest));
            Policy policy =
                    (random.chance(0.6) ? Policy.conservative() : Policy.depth(random.nextInt(3))).withLimits(limits);
            SimulatedQueue queue = new SimulatedQueue(RandomRuns.background(random, NODES), policy, NODES);
            queue.advanceTo(random.nextInt(600) * MINUTE);
            Profile profile = random.chance(0.5) ? Profile.OWN : Profile.THESIS;
            int cap = random.between(2, 16);
            Watched strategy =
                    new Watched(Strategies.named(name, new RunTimes(workflow, profile.planOrder(), cores), profile));
            SimulatedRun run = WorkflowSimulation.run(
                    queue,
                    workflow,
                    strategy,
                    SimulationSetup.of(profile, Resources.node(cores), cap)
                            .taking(late ? TaskTimes.spread(0.3, seed) : TaskTimes.AS_EXPECTED)
                            .recording(true),
                    DecisionSink.NOTHING);
            assertThat(run.completed())
                    .as(name + " seed " + seed + " " + limits + " " + run.reason())
                    .isTrue();
            checkTasks(workflow, run);
            checkPilotJobs(run, cap);
            assertThat(strategy.longest).as(name + " seed " + seed).isLessThanOrEqualTo(limits.walltime());
            for (JobRecord job : run.pilotJobs()) {
                assertThat(limits.allow(job.nodes(), job.walltime()))
                        .as(name + " seed " + seed + " " + limits + " " + job)
                        .isTrue();
            }
            assertThat(queue.ownJobs()).as("own jobs left in the queue").isZero();
        }
    }

    /** One or two running jobs, and nodes in use from those of the widest task to the cluster; jobs of the log are exempt. */
    @ParameterizedTest
    @MethodSource("names")
    void everyTaskRunsWithinTheLimitsOfTheUser(String name) {
        for (int seed = 0; seed < 60; seed++) {
            RandomStream random = new RandomStream(seed);
            int cores = random.chance(0.7) ? 1 : 4;
            Workflow workflow = RandomRuns.workflow(random, cores);
            int widest = 1;
            for (int task = 0; task < workflow.size(); task++) {
                widest = Math.max(widest, workflow.resources(task).nodes());
            }
            int jobs = seed % 3 == 2 ? Integer.MAX_VALUE : 1 + seed % 3;
            int nodes = seed % 3 == 2 ? widest : random.chance(0.5) ? NODES : random.between(widest, NODES);
            Policy policy = (random.chance(0.4) ? Policy.conservative() : Policy.depth(random.nextInt(3)))
                    .withLimits(new UserLimits(jobs, nodes, UserLimits.LimitScope.OWN));
            SimulatedQueue queue = new SimulatedQueue(RandomRuns.background(random, NODES), policy, NODES);
            queue.advanceTo(random.nextInt(600) * MINUTE);
            Profile profile = random.chance(0.5) ? Profile.OWN : Profile.THESIS;
            TaskTimes times = random.chance(0.7) ? TaskTimes.AS_EXPECTED : TaskTimes.spread(0.3, seed);
            int cap = random.between(2, 16);
            SimulatedRun run = WorkflowSimulation.run(
                    queue,
                    workflow,
                    Strategies.named(name, new RunTimes(workflow, profile.planOrder(), cores), profile),
                    SimulationSetup.of(profile, Resources.node(cores), cap)
                            .taking(times)
                            .recording(true),
                    DecisionSink.NOTHING);
            String which = name + " seed " + seed + " " + policy.perUser() + " " + run.reason();
            assertThat(run.completed()).as(which).isTrue();
            checkTasks(workflow, run);
            checkPilotJobs(run, cap);
            checkUse(run, jobs, nodes, which);
            assertThat(queue.ownJobs()).as("own jobs left in the queue").isZero();
        }
    }

    /** Node-time of running jobs from that of the longest task on the widest task's nodes to a few times of that; at times also few nodes. */
    @ParameterizedTest
    @MethodSource("names")
    void everyTaskRunsWithinTheNodeTimeOfTheUser(String name) {
        for (int seed = 0; seed < 60; seed++) {
            RandomStream random = new RandomStream(seed);
            int cores = random.chance(0.7) ? 1 : 4;
            Workflow workflow = RandomRuns.workflow(random, cores);
            long longest = MINUTE;
            int widest = 1;
            for (int task = 0; task < workflow.size(); task++) {
                longest = Math.max(longest, workflow.timeMicros(task) / 1000);
                widest = Math.max(widest, workflow.resources(task).nodes());
            }
            boolean late = random.chance(0.3);
            long least = widest * ((late ? 3 : 1) * longest / MINUTE + 2) * MINUTE;
            long nodeTime = least + random.nextLong(1 + 4 * least);
            int nodes = random.chance(0.7) ? Integer.MAX_VALUE : random.between(widest, NODES);
            Policy policy = (random.chance(0.4) ? Policy.conservative() : Policy.depth(random.nextInt(3)))
                    .withLimits(new UserLimits(Integer.MAX_VALUE, nodes, nodeTime, UserLimits.LimitScope.OWN));
            policy.perJob().check(workflow);
            SimulatedQueue queue = new SimulatedQueue(RandomRuns.background(random, NODES), policy, NODES);
            queue.advanceTo(random.nextInt(600) * MINUTE);
            Profile profile = random.chance(0.5) ? Profile.OWN : Profile.THESIS;
            int cap = random.between(2, 16);
            SimulatedRun run = WorkflowSimulation.run(
                    queue,
                    workflow,
                    Strategies.named(name, new RunTimes(workflow, profile.planOrder(), cores), profile),
                    SimulationSetup.of(profile, Resources.node(cores), cap)
                            .taking(late ? TaskTimes.spread(0.3, seed) : TaskTimes.AS_EXPECTED)
                            .recording(true),
                    DecisionSink.NOTHING);
            String which = name + " seed " + seed + " " + policy.perUser() + " " + run.reason();
            assertThat(run.completed()).as(which).isTrue();
            checkTasks(workflow, run);
            checkPilotJobs(run, cap);
            checkUse(run, Integer.MAX_VALUE, nodes, which);
            checkNodeTime(run, nodeTime, which);
            assertThat(queue.ownJobs()).as("own jobs left in the queue").isZero();
        }
    }

    /** Whenever a job starts, nodes × walltime of the jobs that run then are within the limit of the user. */
    private static void checkNodeTime(SimulatedRun run, long nodeTime, String which) {
        for (JobRecord job : run.pilotJobs()) {
            assertThat(job.nodes() * job.walltime()).as(which).isLessThanOrEqualTo(nodeTime);
            long sum = run.pilotJobs().stream()
                    .filter(other -> job.started() >= 0 && other.started() >= 0)
                    .filter(other -> other.started() <= job.started() && other.ended() > job.started())
                    .mapToLong(other -> other.nodes() * other.walltime())
                    .sum();
            assertThat(sum).as(which).isLessThanOrEqualTo(nodeTime);
        }
    }

    /** Whenever a job starts, the jobs that run then are within the limits of the user. */
    private static void checkUse(SimulatedRun run, int jobs, int nodes, String which) {
        for (JobRecord job : run.pilotJobs()) {
            assertThat(job.nodes()).as(which).isLessThanOrEqualTo(nodes);
            List<JobRecord> running = run.pilotJobs().stream()
                    .filter(other -> job.started() >= 0 && other.started() >= 0)
                    .filter(other -> other.started() <= job.started() && other.ended() > job.started())
                    .toList();
            assertThat(running).as(which).hasSizeLessThanOrEqualTo(jobs);
            assertThat(running.stream().mapToInt(JobRecord::nodes).sum())
                    .as(which)
                    .isLessThanOrEqualTo(nodes);
        }
    }

    private static void checkTasks(Workflow workflow, SimulatedRun run) {
        Map<Long, JobRecord> jobs = new HashMap<>();
        run.pilotJobs().forEach(job -> jobs.put(job.token(), job));
        long[] end = new long[workflow.size()];
        int[] done = new int[workflow.size()];
        for (AttemptRecord attempt : run.attempts()) {
            JobRecord job = jobs.get(attempt.token());
            assertThat(job).isNotNull();
            if (job != null) {
                assertThat(attempt.started()).isGreaterThanOrEqualTo(job.started());
                assertThat(attempt.ended()).isLessThanOrEqualTo(job.ended());
                assertThat(attempt.node()).isLessThan(job.nodes());
            }
            if (attempt.done()) {
                done[attempt.task()]++;
                end[attempt.task()] = attempt.ended();
            }
        }
        assertThat(done).containsOnly(1);
        for (AttemptRecord attempt : run.attempts()) {
            for (int i = 0; i < workflow.parents(attempt.task()); i++) {
                assertThat(attempt.started()).isGreaterThanOrEqualTo(end[workflow.parent(attempt.task(), i)]);
            }
        }
    }

    private static void checkPilotJobs(SimulatedRun run, int cap) {
        assertThat(run.allocatedNodeMillis()).isGreaterThanOrEqualTo(run.usedNodeMillis());
        assertThat(run.perceivedWaitMillis()).isBetween(0L, run.makespanMillis());
        for (JobRecord job : run.pilotJobs()) {
            if (job.started() >= 0) {
                assertThat(job.started()).isGreaterThanOrEqualTo(job.submitted());
                assertThat(job.ended() - job.started()).isLessThanOrEqualTo(job.walltime());
            }
            long inSystem = run.pilotJobs().stream()
                    .filter(other -> other.submitted() <= job.submitted() && other.ended() > job.submitted())
                    .count();
            assertThat(inSystem).isLessThanOrEqualTo(cap);
        }
    }

    /** On an idle cluster the makespan of OneJob is the minimum over all numbers of nodes. */
    @Test
    void oneJobEndsAsEstimatedOnAnIdleCluster() {
        for (int seed = 0; seed < 100; seed++) {
            RandomStream random = new RandomStream(seed);
            Workflow workflow = RandomRuns.workflow(random, 1);
            RunTimes times = new RunTimes(workflow, Profile.OWN.planOrder(), 1);
            SimulatedRun run = WorkflowSimulation.run(
                    new SimulatedQueue(JobLog.builder().build(), Policy.conservative(), NODES),
                    workflow,
                    Strategies.named("onejob", times, Profile.OWN),
                    SimulationSetup.of(Profile.OWN, Resources.node(1), 4),
                    DecisionSink.NOTHING);
            long min = Long.MAX_VALUE;
            LevelRange all = times.range(0, workflow.levels() - 1);
            for (int n = all.minNodes(); n <= NODES; n++) {
                min = Math.min(min, all.millis(n));
            }
            assertThat(run.makespanMillis()).isEqualTo(min);
            assertThat(List.of(run.jobsSubmitted(), run.jobsExpired(), run.tasksRerun()))
                    .isEqualTo(List.of(1, 0, 0));
        }
    }

    /** Delegates decisions, counts queued jobs, and records the longest requested walltime. */
    private static final class Watched implements Strategy {
        private final Strategy strategy;
        int maxQueued;
        /** The longest walltime that it has ordered, before the manager cuts it. */
        long longest;

        Watched(Strategy strategy) {
            this.strategy = strategy;
        }

        @Override
        public String name() {
            return strategy.name();
        }

        @Override
        public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
            int queued = 0;
            for (int i = 0; i < view.pilotJobs(); i++) {
                queued += view.pilotJob(i).isQueued() ? 1 : 0;
            }
            maxQueued = Math.max(maxQueued, queued);
            Decision decision = strategy.decide(view, memo, estimator, sink);
            for (Order order : decision.orders()) {
                longest = order instanceof Order.Submit submit
                        ? Math.max(longest, submit.request().walltime())
                        : longest;
            }
            return decision;
        }
    }
}
