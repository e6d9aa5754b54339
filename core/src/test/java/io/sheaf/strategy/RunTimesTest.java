package io.sheaf.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.random.RandomStream;
import io.sheaf.text.InputException;
import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Run times compared with schedules worked out by hand and with a plain list scheduler. */
class RunTimesTest {
    private static final BitSet NONE = new BitSet();

    /** a(3) and b(2) before c(4); d(6) apart; e(1) after c. */
    private static Workflow house() {
        WorkflowBuilder b = new WorkflowBuilder("house");
        long[] seconds = {3, 2, 4, 6, 1};
        for (int i = 0; i < seconds.length; i++) {
            b.time(b.task("abcde".substring(i, i + 1)), seconds[i] * 1_000_000);
        }
        return b.edge(0, 2).edge(1, 2).edge(2, 4).build();
    }

    @Test
    void runTimesByTaskNumber() {
        RunTimes times = new RunTimes(house(), TaskOrder.BY_NUMBER, 1);
        // Node 1: a 0–3, c 3–7, e 7–8. Node 2: b 0–2, d 2–8.
        assertThat(times.millis(0, 2, 2)).isEqualTo(8_000);
        // One node: 3 + 2 + 4 + 6 + 1.
        assertThat(times.millis(0, 2, 1)).isEqualTo(16_000);
        // Three nodes: nothing waits; a 0–3, c 3–7, e 7–8, and d 0–6 beside them.
        assertThat(times.millis(0, 2, 3)).isEqualTo(8_000);
        // Level 0 alone is a, b, d: on two nodes a 0–3, b 0–2, d 2–8.
        assertThat(times.millis(0, 0, 2)).isEqualTo(8_000);
        // Levels 1 and 2 are c and e, their parents count as done.
        assertThat(times.millis(1, 2, 7)).isEqualTo(5_000);
    }

    @Test
    void runTimesLongestFirst() {
        RunTimes times = new RunTimes(house(), TaskOrder.LONGEST_FIRST, 1);
        // d 0–6, a 0–3, b 3–5, c 5–9, e 9–10.
        assertThat(times.millis(0, 2, 2)).isEqualTo(10_000);
        // Without the others d 0–6, a 0–3, b 3–5.
        assertThat(times.millis(0, 0, 2)).isEqualTo(6_000);
    }

    @Test
    void runTimesByBottomLevel() {
        RunTimes times = new RunTimes(house(), TaskOrder.BOTTOM_LEVEL, 1);
        // Bottom levels: a 8, b 7, c 5, d 6, e 1. a 0–3, b 0–2, d 2–8, c 3–7, e 7–8.
        assertThat(times.millis(0, 2, 2)).isEqualTo(8_000);
    }

    @Test
    void metricsOfLevelRanges() {
        RunTimes times = new RunTimes(house(), TaskOrder.BY_NUMBER, 2);
        assertThat(times.range(0, 2).work()).isEqualTo(16_000);
        assertThat(times.range(1, 2).work()).isEqualTo(5_000);
        assertThat(times.range(0, 2).maxWidth()).isEqualTo(3);
        assertThat(times.range(1, 2).maxWidth()).isEqualTo(1);
        // a, c, e.
        assertThat(times.range(0, 2).criticalPath()).isEqualTo(8_000);
        // Level 0: the longest is d, 6; but 11 s of work on one node with two cores take at least 5.5.
        assertThat(times.range(0, 0).lowerBound(1)).isEqualTo(6_000);
        assertThat(times.range(0, 0).maxNodes()).isEqualTo(2);
        // One node of two cores equals two nodes of one core.
        assertThat(times.millis(0, 2, 1)).isEqualTo(8_000);
    }

    @Test
    void tasksMayNeedSeveralCoresAndNodes() {
        WorkflowBuilder b = new WorkflowBuilder("shapes");
        b.resources(b.task("wide"), new Resources(3, 0, 0, 1)).time(0, 5_000_000);
        b.resources(b.task("also"), new Resources(2, 0, 0, 1)).time(1, 4_000_000);
        b.resources(b.task("mpi"), new Resources(4, 0, 0, 2)).time(2, 3_000_000);
        b.time(b.task("slim"), 1_000_000);
        RunTimes times = new RunTimes(b.build(), TaskOrder.BY_NUMBER, 4);
        // Two nodes of four cores: wide uses 3 of node 1, also 2 of node 2. mpi waits for both nodes, and slim
        // overtakes it: 0–1 on node 1. Both are idle at 5: mpi 5–8.
        assertThat(times.millis(0, 0, 2)).isEqualTo(8_000);
        // Four nodes: mpi finds nodes 3 and 4, nothing waits.
        assertThat(times.millis(0, 0, 4)).isEqualTo(5_000);
        // Three nodes: mpi waits for node 2, until 4: 4–7 on nodes 2 and 3.
        assertThat(times.millis(0, 0, 3)).isEqualTo(7_000);
        assertThat(times.range(0, 0).minNodes()).isEqualTo(2);
        // 15 + 8 + 24 + 1 core-seconds.
        assertThat(times.range(0, 0).work()).isEqualTo(48_000);
        assertThatThrownBy(() -> times.millis(0, 0, 1))
                .isInstanceOf(InputException.class)
                .hasMessage("task 'mpi' needs 2 nodes, the job has 1; allow more nodes, or split the task");
        BitSet done = new BitSet();
        done.set(2);
        // Without mpi one node: wide 0–5, slim 0–1 beside it, also 5–9.
        assertThat(times.millis(0, 0, 1, done)).isEqualTo(9_000);
    }

    @Test
    void aTaskThatFitsNoNodeIsNamed() {
        WorkflowBuilder b = new WorkflowBuilder("wide");
        b.resources(b.task("merge"), new Resources(64, 0, 0, 1));
        Workflow wide = b.build();
        assertThatThrownBy(() -> new RunTimes(wide, TaskOrder.BY_NUMBER, 28))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "task 'merge' needs 64 cores, a node has 28. Maybe split it, or set nodes: 3 with at most 28"
                                + " cores each");
    }

    @Test
    void timesAreRoundedUpAndUnknownTimesAreZero() {
        WorkflowBuilder b = new WorkflowBuilder("odd");
        b.time(b.task("a"), 1);
        b.time(b.task("b"), 1_000);
        b.time(b.task("c"), 1_001);
        b.task("d");
        // 1 + 1 + 2 + 0.
        assertThat(new RunTimes(b.build(), TaskOrder.BY_NUMBER, 1).millis(0, 0, 1))
                .isEqualTo(4);
    }

    @Test
    void veryLongTimesAreExactToo() {
        WorkflowBuilder b = new WorkflowBuilder("ages");
        long age = Long.MAX_VALUE / 16 / 1_000 * 1_000;
        for (int i = 0; i < 3; i++) {
            b.time(b.task("t" + i), age);
        }
        for (int i = 0; i < 3_000; i++) {
            b.task("nothing" + i);
        }
        assertThat(new RunTimes(b.build(), TaskOrder.BY_NUMBER, 1).millis(0, 0, 2))
                .isEqualTo(2 * (age / 1_000));
    }

    @ParameterizedTest
    @EnumSource
    void plainTasksAgreeWithThePlainScheduler(TaskOrder order) {
        for (int seed = 0; seed < 250; seed++) {
            RandomStream random = new RandomStream(seed);
            compare(SmallWorkflows.plain(random), order, random.between(1, 3), random);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shapedTasksAgreeWithThePlainScheduler(TaskOrder order) {
        for (int seed = 0; seed < 250; seed++) {
            RandomStream random = new RandomStream(10_000 + seed);
            compare(SmallWorkflows.shaped(random), order, random.between(SmallWorkflows.CORES, 9), random);
        }
    }

    /** Memory, GPUs and a named resource, each scarce in some workflows, with few and with many different needs. */
    @ParameterizedTest
    @EnumSource
    void tasksThatNeedMoreThanCoresAgreeWithThePlainScheduler(TaskOrder order) {
        for (int seed = 0; seed < 250; seed++) {
            RandomStream random = new RandomStream(20_000 + seed);
            WorkflowBuilder builder = SmallWorkflows.shaped(random).extend();
            boolean same = random.chance(0.3);
            for (int task = 0; task < builder.size(); task++) {
                Resources plain = same ? Resources.ONE_CORE : builder.resources(task);
                builder.resources(
                        task,
                        new Resources(
                                plain.cores(),
                                same ? 30 : random.nextInt(40),
                                same ? 0 : random.nextInt(3),
                                plain.nodes(),
                                0,
                                NamedAmounts.of(Map.of("licence", same ? 0L : random.nextInt(2)))));
            }
            Resources node = new Resources(
                    random.between(SmallWorkflows.CORES, 9),
                    random.chance(0.2) ? Resources.UNCOUNTED : random.between(40, 90),
                    random.chance(0.2) ? Resources.UNCOUNTED_GPUS - 9 : random.between(2, 4),
                    1,
                    0,
                    NamedAmounts.of(Map.of("licence", (long) random.between(1, 2))));
            compare(builder.build(), order, node, random);
        }
    }

    /** 64 GB of memory hold one task of 40 GB, three of 20 GB, or one of each: 40 + 20 = 60. */
    @Test
    void memoryIsCounted() {
        WorkflowBuilder b = new WorkflowBuilder("memory");
        for (int i = 0; i < 4; i++) {
            b.time(b.task("t" + i), 5_000_000).resources(i, new Resources(1, (i < 2 ? 40 : 20) * 1_000L, 0, 1));
        }
        RunTimes times = new RunTimes(b.build(), TaskOrder.BY_NUMBER, Resources.node(8, 64_000, 0));
        // One node: t0 (40) and t2 (20) 0–5, t1 (40) and t3 (20) 5–10. Two nodes: nothing waits.
        assertThat(times.millis(0, 0, 1)).isEqualTo(10_000);
        assertThat(times.millis(0, 0, 2)).isEqualTo(5_000);
        // Tasks of 40 need a node each, and three of 20 share one.
        assertThat(times.range(0, 0).maxNodes()).isEqualTo(3);
        // 40 of 64 block 8 cores, 20 of 64 block 8 / 3 = 2 of them: (8 + 8 + 2 + 2) × 5 s.
        assertThat(times.range(0, 0).blockedWork()).isEqualTo(100_000);
        assertThat(times.range(0, 0).work()).isEqualTo(20_000);
        Workflow large = b.resources(3, new Resources(1, 65_000, 0, 1)).build();
        assertThatThrownBy(() -> new RunTimes(large, TaskOrder.BY_NUMBER, Resources.node(8, 64_000, 0)))
                .isInstanceOf(InputException.class)
                .hasMessage("task 't3' needs 65000 of memory on a node; the largest node has 64000");
    }

    private static void compare(Workflow workflow, TaskOrder order, int cores, RandomStream random) {
        compare(workflow, order, Resources.node(cores), random);
    }

    private static void compare(Workflow workflow, TaskOrder order, Resources node, RandomStream random) {
        RunTimes times = new RunTimes(workflow, order, node, random.between(1, 30));
        PlainListScheduler plain = new PlainListScheduler(workflow, order, node);
        for (int first = 0; first < workflow.levels(); first++) {
            // The longest range first, so that it gives bounds to the shorter ones.
            List<LevelRange> prefixes = times.prefixes(first, workflow.levels() - 1);
            for (int last = workflow.levels() - 1; last >= first; last--) {
                LevelRange range = prefixes.get(last - first);
                int smallest = Integer.MAX_VALUE;
                for (int n : random.permutation(16)) {
                    if (n < range.minNodes()) {
                        continue;
                    }
                    long bound = range.bound(n);
                    long expected = plain.makespan(first, last, n, node, NONE);
                    assertThat(bound).isLessThanOrEqualTo(expected);
                    assertThat(range.lowerBound(n)).isLessThanOrEqualTo(expected);
                    assertThat(range.millis(n, expected - 1)).isEqualTo(-1);
                    assertThat(range.bound(n)).isBetween(bound, expected);
                    assertThat(range.millis(n, expected)).isEqualTo(expected);
                    assertThat(range.millis(n)).isEqualTo(expected);
                    assertThat(range.isKnown(n)).isTrue();
                    if (!plain.waited) {
                        assertThat(expected).isEqualTo(range.criticalPath());
                        smallest = Math.min(smallest, n);
                    }
                }
                if (smallest < Integer.MAX_VALUE) {
                    assertThat(range.saturation).isLessThanOrEqualTo(smallest);
                }
                compareUnfinished(times, plain, first, last, random);
            }
        }
    }

    private static void compareUnfinished(
            RunTimes times, PlainListScheduler plain, int first, int last, RandomStream random) {
        BitSet done = new BitSet();
        double share = random.nextDouble();
        for (int task = 0; task < times.workflow().size(); task++) {
            done.set(task, random.chance(share));
        }
        int n = random.between(3, 6);
        assertThat(times.millis(first, last, n, done)).isEqualTo(plain.makespan(first, last, n, times.node(), done));
    }

    @Test
    void barriersAreFoundWhereAllTasksWait() {
        // a, b before c before d, e before f, g; both of d, e before each of f, g.
        WorkflowBuilder b = new WorkflowBuilder("barriers");
        for (String id : "a b c d e f g".split(" ")) {
            b.time(b.task(id), 1_000);
        }
        b.edge(0, 2)
                .edge(1, 2)
                .edge(2, 3)
                .edge(2, 4)
                .edge(3, 5)
                .edge(4, 5)
                .edge(3, 6)
                .edge(4, 6);
        assertThat(new RunTimes(b.build(), TaskOrder.BY_NUMBER, 1).range(0, 3).parts)
                .hasSize(4);
        WorkflowBuilder more = b.build().extend();
        more.edge(0, more.task("h"));
        // h is on level 1 after a alone: it need not wait for b, and nothing waits for it.
        assertThat(new RunTimes(more.build(), TaskOrder.BY_NUMBER, 1).range(0, 3).parts)
                .isEmpty();
    }

    @Test
    void allThreadsGetTheSameRunTimes() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (int seed = 0; seed < 60; seed++) {
                Workflow workflow = SmallWorkflows.plain(new RandomStream(seed));
                RunTimes shared = new RunTimes(workflow, TaskOrder.LONGEST_FIRST, Resources.node(1), 4);
                List<Future<List<Long>>> answers = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    answers.add(threads.submit(() -> all(shared)));
                }
                List<Long> alone = all(new RunTimes(workflow, TaskOrder.LONGEST_FIRST, 1));
                for (Future<List<Long>> answer : answers) {
                    assertThat(answer.get()).isEqualTo(alone);
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<Long> all(RunTimes times) {
        List<Long> all = new ArrayList<>();
        int levels = times.workflow().levels();
        for (int first = 0; first < levels; first++) {
            for (int last = first; last < levels; last++) {
                for (int n = 1; n <= 12; n++) {
                    all.add(times.millis(first, last, n));
                }
            }
        }
        return all;
    }
}
