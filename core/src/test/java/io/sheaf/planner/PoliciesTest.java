package io.sheaf.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order in which each policy chooses jobs, worked out by hand. Policies have no state. */
class PoliciesTest {
    private static final Owner ANYONE = new Owner("anyone", 1);

    /** Independent tasks of these run times in seconds. */
    private static RankedDag bag(int... seconds) {
        WorkflowBuilder builder = new WorkflowBuilder("bag");
        for (int each : seconds) {
            builder.time(builder.task("t" + builder.size()), each * 1_000_000L);
        }
        return RankedDag.of(builder.build(), 1e6, 1, RankedDag.WHOLE);
    }

    /** Runs all jobs, each of which ends at once, and returns them as workflow.task. */
    private static List<String> order(PoolPolicy policy, JobPool pool) {
        List<String> order = new ArrayList<>();
        while (pool.ready() > 0) {
            DagPlanner of = policy.workflow(pool);
            int task = policy.task(pool, of);
            assertThat(policy.workflow(pool)).isSameAs(of);
            assertThat(policy.task(pool, of)).isEqualTo(task);
            order.add(of.arrival() + "." + task);
            pool.assign(of, task);
            pool.done(of, task, 0, 0);
        }
        return order;
    }

    private static JobPool twoBags() {
        JobPool pool = new JobPool();
        pool.submit(bag(5, 9, 7), ANYONE);
        pool.submit(bag(8, 6), ANYONE);
        return pool;
    }

    @Test
    void rankPoliciesOrderTasksByRank() {
        assertThat(order(Policies.named("rank-hf", 0), twoBags())).containsExactly("0.1", "1.0", "0.2", "1.1", "0.0");
        // The lowest rank first while both workflows have tasks; then the highest rank of the remaining workflow first.
        assertThat(order(Policies.named("rank-hybd", 0), twoBags())).containsExactly("0.0", "1.1", "0.2", "1.0", "0.1");
        JobPool pool = twoBags();
        pool.submit(bag(1, 2, 3), ANYONE);
        assertThat(order(Policies.named("rank-hybd", 0), pool).subList(0, 4))
                .containsExactly("2.0", "2.1", "2.2", "0.0");
    }

    @Test
    void hybridTakesTheHighestRankOfASingleWorkflow() {
        JobPool pool = new JobPool();
        pool.submit(bag(5, 9, 7), ANYONE);
        assertThat(order(Policies.named("rank-hybd", 0), pool)).containsExactly("0.1", "0.2", "0.0");
    }

    @Test
    void fifoOrdersTasksByTheTimeTheyBecameReady() {
        assertThat(order(Policies.named("fifo", 0), twoBags())).containsExactly("0.0", "0.1", "0.2", "1.0", "1.1");
        JobPool pool = twoBags();
        DagPlanner first = pool.workflow(0);
        pool.assign(first, 0);
        pool.assign(first, 1);
        // The task fails and is queued behind all others, more often than the queue has places.
        for (int i = 0; i < 7; i++) {
            pool.ready(first, 0);
            pool.assign(first, 0);
        }
        pool.ready(first, 0);
        assertThat(order(Policies.named("fifo", 0), pool)).containsExactly("0.2", "1.0", "1.1", "0.0");
    }

    @Test
    void independentJobsAreWorkflowsOfOneTask() {
        JobPool pool = twoBags();
        pool.submit(RankedDag.job(6_500, 1, RankedDag.WHOLE), ANYONE);
        assertThat(order(Policies.named("rank-hybd", 0), pool))
                .containsExactly("0.0", "1.1", "2.0", "0.2", "1.0", "0.1");
    }

    @Test
    void smallestRemainingOrdersWorkflowsByRemainingWork() {
        // 21 s against 14 s; the second ends first.
        assertThat(order(Policies.named("smallest-remaining", 0), twoBags()))
                .containsExactly("1.0", "1.1", "0.1", "0.2", "0.0");
    }

    @Test
    void fairShareOrdersTasksByUsageOverWeight() {
        JobPool pool = new JobPool();
        pool.submit(bag(4, 4, 4, 4, 4, 4), new Owner("one", 2));
        pool.submit(bag(4, 4, 4), new Owner("two", 1));
        // Usage over weight: 0 0, 2 0, 2 4, 4 4 …: always two tasks of the first user for one of the second.
        assertThat(order(Policies.named("fair-share", 0), pool))
                .containsExactly("0.0", "1.0", "0.1", "0.2", "1.1", "0.3", "0.4", "1.2", "0.5");
    }

    @Test
    void aUserWithoutJobsGetsNoCredit() {
        JobPool pool = new JobPool();
        Owner present = new Owner("present", 1);
        DagPlanner old = pool.submit(bag(10, 10, 10, 10), present);
        pool.assign(old, 0);
        pool.assign(old, 1);
        pool.submit(bag(10, 10), new Owner("late", 1));
        assertThat(order(Policies.named("fair-share", 0), pool)).containsExactly("0.2", "1.0", "0.3", "1.1");
    }

    @Test
    void randomDrawsReadyJobsUniformlyFromItsSeed() {
        int[] drawn = new int[5];
        for (int seed = 0; seed < 5_000; seed++) {
            JobPool pool = twoBags();
            PoolPolicy policy = Policies.named("random", seed);
            DagPlanner of = policy.workflow(pool);
            drawn[(int) of.arrival() * 3 + policy.task(pool, of)]++;
        }
        // 1,000 each with a deviation of 28.
        for (int count : drawn) {
            assertThat(count).isBetween(880, 1120);
        }
        assertThat(order(Policies.named("random", 7), twoBags()))
                .isEqualTo(order(Policies.named("random", 7), twoBags()))
                .hasSize(5);
    }

    @Test
    void largeReadySetsFindTheirHighestAndLowestTasks() {
        int[] seconds = new int[9000];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = i + 1;
        }
        JobPool pool = new JobPool();
        DagPlanner of = pool.submit(bag(seconds), ANYONE);
        for (int i = 0; i < 4400; i++) {
            assertThat(of.highest()).isEqualTo(8999 - i);
            assertThat(of.lowest()).isEqualTo(i);
            assertThat(of.ready(1)).isEqualTo(8998 - i);
            pool.assign(of, of.highest());
            pool.assign(of, of.lowest());
        }
    }

    @Test
    void unknownNamesAreRefused() {
        assertThatThrownBy(() -> Policies.named("rank-hybrid", 0))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("'rank-hybd'");
    }

    @Test
    void ranksAreLongestPathsToTheExit() {
        WorkflowBuilder builder = new WorkflowBuilder("diamond").fileEdges(true);
        int a = builder.task("a");
        int b = builder.task("b");
        int c = builder.task("c");
        int d = builder.task("d");
        for (int task = 0; task < 4; task++) {
            builder.time(task, (task + 1) * 1_000_000L);
        }
        int file = builder.file("f", 10_000_000);
        builder.output(a, file).input(b, file).edge(a, c).edge(b, d).edge(c, d);
        Workflow workflow = builder.build();
        // At 2 MB/s the file takes 5 s: d 4, c 3 + 4, b 2 + 4, a 1 + 5 + 6.
        RankedDag dag = RankedDag.of(workflow, 2e6, 1, RankedDag.WHOLE);
        assertThat(new long[] {dag.rank(a), dag.rank(b), dag.rank(c), dag.rank(d)})
                .containsExactly(12_000, 6_000, 7_000, 4_000);
        assertThat(dag.criticalPath()).isEqualTo(8_000);
        // On elements of half the speed work takes twice as long, but not the file.
        assertThat(RankedDag.of(workflow, 2e6, Elements.slowness(0.5, 0.5), RankedDag.WHOLE)
                        .rank(a))
                .isEqualTo(2_000 + 5_000 + 12_000);
    }
}
