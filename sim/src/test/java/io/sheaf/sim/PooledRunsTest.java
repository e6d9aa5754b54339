package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.batch.Pools;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Order;
import io.sheaf.manager.Request;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.GpuText;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests runs on clusters with node pools. */
class PooledRunsTest {
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    private static final int LEFT = 1;
    private static final int RIGHT = 2;

    /** Left has nodes 1 to 8 for an hour, right 7 to 12 for ten. */
    private static final Pools POOLS = Pools.parse("left=1-8,time=1h+right=7-12,time=10h", 12);

    static final List<String> STRATEGIES = List.of(
            "auto",
            "onejob",
            "onejobpertask",
            "levelbylevel",
            "zhang",
            "glume",
            "hybrid",
            "giant",
            "perstage",
            "bigjob",
            "asa",
            "asa-naive",
            "portfolio");

    /** Records requests. */
    private static final class Requests implements DecisionSink {
        final List<Request> submitted = new ArrayList<>();
        final List<String> options = new ArrayList<>();

        @Override
        public void option(String label, int nodes, long walltime, long wait, long makespan) {
            options.add(label + " after " + wait / MINUTE);
        }

        @Override
        public void ordered(Order order, long token, long expectedStart) {
            if (order instanceof Order.Submit submit) {
                submitted.add(submit.request());
            }
        }
    }

    private static Workflow workflow(int tasks, long minutes) {
        WorkflowBuilder builder = new WorkflowBuilder("pooled");
        for (int i = 0; i < tasks; i++) {
            builder.time(builder.task("t" + i), minutes * MINUTE * 1000);
        }
        return builder.build();
    }

    private static SimulatedRun run(JobLog log, Pools pools, Workflow workflow, String strategy, Requests requests) {
        return runOnNodes(log, pools, workflow, Resources.node(1), strategy, requests);
    }

    /**
     * Background jobs that keep the nodes of a pool busy. The pool of a job is drawn, so requests vary until the wanted
     * one is drawn.
     */
    private static JobLog busy(Pools pools, int pool, int nodes, long until) {
        JobLog.Builder log = JobLog.builder();
        for (long requested = until; ; requested += 1_000) {
            long draw = nodes * 31L + requested;
            if (pools.drawn(draw, nodes, requested) == pool) {
                log.add(1, 0, requested, requested, nodes, 0);
                return log.build();
            }
        }
    }

    @ParameterizedTest
    @FieldSource("STRATEGIES")
    void everyStrategyRespectsPoolLimits(String strategy) {
        Requests requests = new Requests();
        SimulatedRun run = run(JobLog.builder().build(), POOLS, workflow(30, 50), strategy, requests);
        assertThat(run.completed()).isTrue();
        assertThat(requests.submitted).isNotEmpty().allSatisfy(request -> assertThat(
                        POOLS.allows(request.pool(), request.units(), request.walltime()))
                .as(request.toString())
                .isTrue());
    }

    /** A task of 90 minutes fits into left only, although right starts jobs at once. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "onejob", "glume"})
    @Timeout(60)
    void aTaskRunsInTheOnlyPoolThatAllowsIt(String strategy) {
        Pools pools = Pools.parse("left=1-2+right=3-12,time=1h", 12);
        WorkflowBuilder builder = new WorkflowBuilder("long");
        builder.time(builder.task("long"), 90 * MINUTE * 1000);
        for (int i = 0; i < 59; i++) {
            builder.time(builder.task("t" + i), 20 * MINUTE * 1000);
        }
        SimulatedRun run = run(JobLog.builder().build(), pools, builder.build(), strategy, new Requests());
        assertThat(run.completed()).isTrue();
    }

    /** 24 tasks of 25 minutes are too long for one job of an hour on the 6 nodes of left, which is free; right, without a limit, is busy for 20 hours. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "onejob", "levelbylevel", "zhang", "glume", "hybrid", "giant"})
    void aLongRequestIsSplitForAPoolThatStartsEarlier(String strategy) {
        Pools pools = Pools.parse("left=1-6,time=1h+right=7-12", 12);
        Requests requests = new Requests();
        SimulatedRun run = run(busy(pools, RIGHT, 6, 20 * HOUR), pools, workflow(24, 25), strategy, requests);
        assertThat(run.completed()).isTrue();
        assertThat(run.makespanMillis()).as(requests.submitted.toString()).isLessThan(4 * HOUR);
    }

    /** Five tasks of 30 minutes: left is busy for 50 minutes more, right is free. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "onejob", "levelbylevel", "zhang", "glume"})
    void theFirstJobGoesToThePoolThatStartsFirst(String strategy) {
        Pools pools = Pools.parse("left=1-6+right=7-12", 12);
        for (int busy : new int[] {LEFT, RIGHT}) {
            Requests requests = new Requests();
            run(busy(pools, busy, 6, HOUR), pools, workflow(5, 30), strategy, requests);
            assertThat(requests.submitted.get(0).pool()).as("busy " + busy).isEqualTo(LEFT + RIGHT - busy);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "onejob"})
    void theOptionsOfEachPoolAreReported(String strategy) {
        Pools pools = Pools.parse("left=1-6+right=7-12", 12);
        Requests requests = new Requests();
        run(busy(pools, LEFT, 6, HOUR), pools, workflow(5, 30), strategy, requests);
        assertThat(requests.options).contains("in left after 50", "in right after 0");
    }

    /** One job per task: the first six fill left, the others go to right. */
    @Test
    void manyJobsSpreadOverThePools() {
        Pools pools = Pools.parse("left=1-6+right=7-12", 12);
        Requests requests = new Requests();
        SimulatedRun run = run(JobLog.builder().build(), pools, workflow(12, 30), "onejobpertask", requests);
        assertThat(requests.submitted.stream().filter(each -> each.pool() == LEFT))
                .hasSize(6);
        assertThat(run.end()).isEqualTo(40 * MINUTE);
    }

    /** Auto prefers the cheap pool if both are free, and pays for the other one if the cheap pool starts much later. */
    @Test
    void autoWeighsPricesAgainstWaits() {
        Requests equal = new Requests();
        Pools priced = Pools.parse("left=1-6,price=3+right=7-12", 12);
        run(JobLog.builder().build(), priced, workflow(5, 30), "auto", equal);
        assertThat(equal.submitted).extracting(Request::pool).containsOnly(RIGHT);
        Requests late = new Requests();
        JobLog log = busy(priced, RIGHT, 6, 30 * HOUR);
        run(log, priced, workflow(5, 30), "auto", late);
        assertThat(late.submitted.get(0).pool())
                .as("right starts after 30 hours")
                .isEqualTo(LEFT);
        Requests soon = new Requests();
        run(busy(priced, RIGHT, 6, 12 * MINUTE), priced, workflow(5, 30), "auto:lambda=2", soon);
        assertThat(soon.submitted.get(0).pool())
                .as("right starts after 2 minutes")
                .isEqualTo(RIGHT);
    }

    /**
     * Right is preempted after two hours on average, so jobs there have at most one hour; all tasks complete
     * nevertheless.
     */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "onejob", "onejobpertask", "levelbylevel", "zhang", "glume"})
    void preemptiblePoolsGetShortJobs(String strategy) {
        Pools pools = Pools.parse("left=1-2+right=3-12,preempt=2h", 12);
        Requests requests = new Requests();
        SimulatedRun run = run(JobLog.builder().build(), pools, workflow(60, 20), strategy, requests);
        assertThat(run.completed()).isTrue();
        assertThat(requests.submitted.stream().filter(each -> each.pool() == RIGHT))
                .allSatisfy(each -> assertThat(each.walltime()).isLessThanOrEqualTo(HOUR));
    }

    /** Of 40 jobs of 20 minutes in a pool with a mean of an hour, about 1 − exp(−1/3) = 28 % are preempted; each task completes once. */
    @Test
    void preemptedTasksAreRetried() {
        Pools pools = Pools.parse("only=1-4,preempt=1h", 4);
        SimulatedRun run = run(JobLog.builder().build(), pools, workflow(40, 20), "onejobpertask", new Requests());
        assertThat(run.completed()).isTrue();
        assertThat(run.tasksRerun()).isBetween(5, 30);
        SimulatedRun second = run(JobLog.builder().build(), pools, workflow(40, 20), "onejobpertask", new Requests());
        assertThat(second.end()).isEqualTo(run.end());
    }

    /** A pool of at most two jobs gets no third. */
    @Test
    void thePoolsJobLimitIsRespected() {
        Pools pools = Pools.parse("left=1-6,jobs=2+right=7-12", 12);
        Requests requests = new Requests();
        run(JobLog.builder().build(), pools, workflow(8, 30), "onejobpertask", requests);
        assertThat(requests.submitted.stream().filter(each -> each.pool() == LEFT))
                .hasSize(2);
    }

    @Test
    void aRequestThatNoPoolAllowsIsCutToTheLongestLimit() {
        Requests requests = new Requests();
        SimulatedRun run = run(JobLog.builder().build(), POOLS, workflow(8, 300), "onejob", requests);
        assertThat(run.completed()).isTrue();
        assertThat(requests.submitted).extracting(Request::pool).containsOnly(RIGHT);
        assertThat(run.end()).isLessThan(BatchEngine.NEVER);
    }

    private static SimulatedRun runOnNodes(
            JobLog log, Pools pools, Workflow workflow, Resources node, String strategy, Requests requests) {
        SimulatedQueue queue = new SimulatedQueue(log, Policy.easy().withPools(pools), pools.nodes());
        SimulationSetup setup = SimulationSetup.of(Profile.OWN, node, 16);
        RunTimes times = new RunTimes(workflow, Profile.OWN.planOrder(), node);
        queue.advanceTo(10 * MINUTE);
        return WorkflowSimulation.run(queue, workflow, Strategies.named(strategy, times, Profile.OWN), setup, requests);
    }

    /** Tasks of a core, and some that need more memory than small nodes have. */
    private static Workflow sized(int small, int large, long minutes) {
        WorkflowBuilder builder = new WorkflowBuilder("sized");
        for (int i = 0; i < small + large; i++) {
            int task = builder.task("t" + i);
            builder.time(task, minutes * MINUTE * 1000);
            builder.resources(task, Resources.ONE_CORE.memory(i < small ? 1 : 30));
        }
        return builder.build();
    }

    /** Six nodes, of which two have more memory: every strategy runs all tasks, large ones only where they fit. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "auto",
                "onejob",
                "onejobpertask",
                "levelbylevel",
                "zhang",
                "glume",
                "hybrid",
                "perstage",
                "bigjob"
            })
    void tasksRunOnUnequalNodesWhereTheyFit(String strategy) {
        Pools pools = Pools.parse("all=1-6,cores=2,mem=8+large=5-6,cores=4,mem=64,price=2", 6);
        Requests requests = new Requests();
        SimulatedRun run = runOnNodes(
                JobLog.builder().build(), pools, sized(20, 5, 30), Resources.node(4, 64, 0), strategy, requests);
        assertThat(run.completed()).isTrue();
        assertThat(requests.submitted).extracting(Request::pool).contains(RIGHT);
    }

    /** The large nodes are busy for hours: only tasks that need their memory wait for them. */
    @Test
    void autoStartsSmallTasksEarlierWithLessMemory() {
        Pools pools = Pools.parse("all=1-6,cores=4,mem=8+large=5-6,cores=4,mem=64", 6);
        Requests requests = new Requests();
        JobLog log = busy(pools, RIGHT, 2, 10 * HOUR);
        SimulatedRun run = runOnNodes(log, pools, sized(48, 4, 60), Resources.node(4, 64, 0), "auto", requests);
        assertThat(run.completed()).isTrue();
        assertThat(requests.submitted)
                .as("small tasks: " + requests.submitted)
                .extracting(Request::pool)
                .contains(LEFT, RIGHT);
        assertThat(run.end()).isLessThan(12 * HOUR);
        assertThat(run.tasksRerun()).isZero();
    }

    /**
     * Sixteen tasks of an hour: two nodes of eight cores end them in one round, four of two cores need two. Auto
     * requests the large nodes if they are free, not if they are busy for ten hours.
     */
    @Test
    void autoRequestsLargerNodesIfTheirWaitIsShort() {
        Pools pools = Pools.parse("all=1-4,cores=2,mem=8+large=3-4,cores=8,mem=8,price=4", 4);
        Workflow workflow = sized(16, 0, 60);
        Resources node = Resources.node(2, 8, 0);
        Requests free = new Requests();
        SimulatedRun now = runOnNodes(JobLog.builder().build(), pools, workflow, node, "auto", free);
        assertThat(free.submitted.get(0).pool()).as(free.submitted + "").isEqualTo(RIGHT);
        assertThat(now.end()).isLessThanOrEqualTo(72 * MINUTE);
        Requests late = new Requests();
        runOnNodes(busy(pools, RIGHT, 2, 10 * HOUR), pools, workflow, node, "auto", late);
        assertThat(late.submitted.get(0).pool()).as(late.submitted + "").isEqualTo(LEFT);
    }

    /**
     * Two types of GPUs on different nodes, and memory on a third kind: no node suits all tasks, so jobs of several
     * pools share the workflow. No job keeps idle nodes for a task that waits for a task on other nodes.
     */
    @ParameterizedTest
    @FieldSource("STRATEGIES")
    @Timeout(60)
    void tasksForDifferentNodesRunInSeveralPools(String strategy) {
        Pools pools = Pools.parse(
                "all=1-6,cores=2,mem=8,gpus=0+a=1-2,cores=2,mem=8,gpus=a100:1+v=3-4,cores=4,mem=8,gpus=v100:1+large=5-6,cores=2,mem=64,gpus=0",
                6);
        WorkflowBuilder builder = new WorkflowBuilder("kinds");
        for (int i = 0; i < 4; i++) {
            timed(builder, "a" + i, GpuText.on(Resources.ONE_CORE, "a100:1"));
            timed(builder, "v" + i, GpuText.on(Resources.ONE_CORE, "v100:1"));
        }
        int large = timed(builder, "large", new Resources(1, 30, 0, 1));
        int last = timed(builder, "last", GpuText.on(Resources.ONE_CORE, "a100:1"));
        builder.edge(0, large).edge(1, large).edge(large, last);
        Resources max = GpuText.on(Resources.node(4, 64, 0), "a100:1,v100:1");
        Requests requests = new Requests();
        SimulatedRun run = runOnNodes(JobLog.builder().build(), pools, builder.build(), max, strategy, requests);
        assertThat(run.completed()).isTrue();
        assertThat(requests.submitted).extracting(Request::pool).contains(2, 3, 4);
        assertThat(requests.submitted).as("jobs").hasSizeLessThanOrEqualTo(strategy.equals("onejobpertask") ? 10 : 6);
        assertThat(run.tasksRerun()).isZero();
        // Ten tasks of 20 minutes, each on a node.
        assertThat(run.allocatedNodeMillis()).as("" + requests.submitted).isLessThanOrEqualTo(260 * MINUTE);
        // In two rounds on two nodes of each kind, side by side.
        assertThat(strategy.equals("auto") ? run.end() : 0).isLessThanOrEqualTo(90 * MINUTE);
    }

    private static int timed(WorkflowBuilder builder, String name, Resources needed) {
        int task = builder.task(name);
        builder.time(task, 20 * MINUTE * 1000).resources(task, needed);
        return task;
    }

    /** The nodes of four cores are busy: a moldable task runs on two cores and does not wait for them. */
    @Test
    void aMoldableTaskRunsOnFewerCoresWhereNodesAreSmaller() {
        Pools pools = Pools.parse("all=1-6,cores=2,mem=8+large=5-6,cores=4,mem=8", 6);
        WorkflowBuilder builder = new WorkflowBuilder("moldable");
        for (int i = 0; i < 4; i++) {
            int task = builder.task("t" + i);
            builder.time(task, 30 * MINUTE * 1000).resources(task, new Resources(4, 0, 0, 1));
            builder.scaling(task, new Scaling(Map.of(2, 60 * MINUTE * 1000, 4, 30 * MINUTE * 1000)));
        }
        Requests requests = new Requests();
        SimulatedRun run = runOnNodes(
                busy(pools, RIGHT, 2, 10 * HOUR), pools, builder.build(), Resources.node(4, 8, 0), "auto", requests);
        assertThat(run.completed()).isTrue();
        // Two rounds of an hour on two nodes; the other nodes are busy for ten hours.
        assertThat(run.end()).as("" + requests.submitted).isLessThanOrEqualTo(150 * MINUTE);
    }
}
