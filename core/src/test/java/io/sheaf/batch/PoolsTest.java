package io.sheaf.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.random.RandomStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoolsTest {
    private static final int LEFT = 1;
    private static final int RIGHT = 2;

    /** Nodes 0 to 5: left has 0 to 3, right has 2 to 5. */
    private static final Pools OVERLAPPING = Pools.of(
            List.of(Pool.of("left", 0, 4, new JobLimits(4, 100)), Pool.of("right", 2, 6, new JobLimits(4, 9_000))));

    private static BatchEngine engine(Policy policy, Pools pools) {
        return new BatchEngine(policy.withPools(pools), pools.nodes());
    }

    private static int submit(BatchEngine engine, long at, int pool, int units, long walltime) {
        return engine.submit(at, Submission.of(units, walltime).pool(pool));
    }

    @Test
    void aJobUsesTheFirstNodesOfItsPool() {
        BatchEngine engine = engine(Policy.easy(), OVERLAPPING);
        int[] started = new int[8];
        int narrow = submit(engine, 0, LEFT, 2, 50);
        int wide = submit(engine, 0, RIGHT, 4, 1_000);
        assertThat(engine.pass(0, started))
                .as("2 nodes of left only, 4 of right")
                .isEqualTo(2);
        assertThat(engine.isRunning(narrow) && engine.isRunning(wide)).isTrue();
        // Only left has nodes 0 and 1. A job of right uses the other 2 of left until 1,000: a job of 3 waits for them,
        // one of 2 for the narrow job.
        assertThat(engine.estimate(0, Submission.of(3, 10).pool(LEFT))).isEqualTo(1_000);
        assertThat(engine.estimate(0, Submission.of(2, 10).pool(LEFT))).isEqualTo(50);
        assertThat(engine.estimate(0, Submission.of(1, 10).pool(RIGHT))).isEqualTo(1_000);
    }

    @Test
    void aJobBeyondItsPoolOrItsLimitIsRefused() {
        BatchEngine engine = engine(Policy.conservative(), OVERLAPPING);
        assertThat(submit(engine, 0, LEFT, 5, 10)).isEqualTo(BatchEngine.TOO_LARGE);
        assertThat(submit(engine, 0, LEFT, 1, 101)).isEqualTo(BatchEngine.TOO_LARGE);
        assertThat(submit(engine, 0, RIGHT, 1, 101)).isNotNegative();
        assertThat(submit(engine, 0, Pools.ANY, 1, 10)).as("without a pool").isEqualTo(BatchEngine.TOO_LARGE);
        assertThat(OVERLAPPING.maxNodes()).isEqualTo(4);
        assertThat(OVERLAPPING.walltime(4)).isEqualTo(9_000);
        assertThat(OVERLAPPING.walltime(5)).isZero();
        assertThat(Policy.easy().withPools(OVERLAPPING).largest()).isEqualTo(new JobLimits(4, 9_000));
        assertThat(Policy.easy().largest()).isEqualTo(JobLimits.NONE);
        assertThat(Pools.NONE.walltime(5)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aSnapshotKeepsThePools() {
        BatchEngine engine = engine(Policy.easy(), OVERLAPPING);
        submit(engine, 0, RIGHT, 4, 5_000);
        submit(engine, 0, LEFT, 4, 100);
        engine.pass(0, new int[2]);
        BatchEngine copy = QueueSnapshot.of(engine, 10, handle -> QueueSnapshot.OTHERS)
                .load()
                .engine();
        assertThat(copy.estimate(10, Submission.of(2, 100).pool(LEFT))).isEqualTo(10);
        assertThat(copy.estimate(10, Submission.of(3, 100).pool(LEFT))).isEqualTo(5_100);
        copy.reserve(LEFT, 2, 20, 30, 10);
        assertThat(copy.estimate(10, Submission.of(2, 11).pool(LEFT))).isEqualTo(30);
    }

    /** Pools without common nodes behave like separate clusters. */
    @ParameterizedTest
    @ValueSource(ints = {Policy.FCFS, Policy.EASY, 3, Policy.CONSERVATIVE})
    void separatePoolsAreSeparateClusters(int depth) {
        Pools pools = Pools.of(List.of(Pool.of("left", 0, 7, JobLimits.NONE), Pool.of("right", 7, 20, JobLimits.NONE)));
        for (int seed = 0; seed < 40; seed++) {
            List<long[]> jobs = new ArrayList<>();
            RandomStream random = new RandomStream(seed).split("pools");
            long at = 0;
            for (int i = 0; i < 60; i++) {
                at += random.nextInt(40);
                int pool = 1 + random.nextInt(2);
                long walltime = 10L + random.nextInt(200);
                jobs.add(new long[] {
                    at, pool, 1 + random.nextInt(pool == 1 ? 7 : 13), walltime, 1 + random.nextInt((int) walltime)
                });
            }
            Map<Integer, Long> together = simulate(engine(Policy.depth(depth), pools), jobs, 0);
            Map<Integer, Long> apart = new TreeMap<>();
            for (int pool = 1; pool <= 2; pool++) {
                apart.putAll(simulate(
                        new BatchEngine(Policy.depth(depth), pools.pool(pool).size()), jobs, pool));
            }
            assertThat(together).as("seed " + seed).hasSize(60).isEqualTo(apart);
        }
    }

    /**
     * With common nodes, running jobs never use more than the nodes of their pools together. An estimate is the start
     * if no job arrives.
     */
    @ParameterizedTest
    @ValueSource(ints = {Policy.FCFS, Policy.EASY, 3, Policy.CONSERVATIVE})
    void overlappingPoolsShareNodes(int depth) {
        for (int seed = 0; seed < 40; seed++) {
            BatchEngine engine = engine(Policy.depth(depth), OVERLAPPING);
            RandomStream random = new RandomStream(seed).split("overlap");
            int[] started = new int[64];
            TreeMap<Long, TreeSet<Integer>> ends = new TreeMap<>();
            for (int i = 0; i < 20; i++) {
                int pool = 1 + random.nextInt(2);
                int units = 1 + random.nextInt(4);
                long walltime = 1L + random.nextInt(100);
                long expected =
                        engine.estimate(0, Submission.of(units, walltime).pool(pool));
                int job = submit(engine, 0, pool, units, walltime);
                assertThat(startOf(engine.fork(), job))
                        .as("seed " + seed + " job " + i)
                        .isEqualTo(expected);
            }
            for (long t = 0;
                    t != BatchEngine.NEVER;
                    t = Math.min(engine.nextPass(), ends.isEmpty() ? BatchEngine.NEVER : ends.firstKey())) {
                for (int job : ends.getOrDefault(t, new TreeSet<>())) {
                    engine.complete(job, t);
                }
                ends.remove(t);
                int count = engine.pass(t, started);
                for (int i = 0; i < count; i++) {
                    ends.computeIfAbsent(engine.limit(started[i]), each -> new TreeSet<>())
                            .add(started[i]);
                }
                int[] used = new int[3];
                ends.values().forEach(ended -> ended.forEach(job -> used[engine.pool(job)] += engine.units(job)));
                assertThat(used[LEFT]).isLessThanOrEqualTo(4);
                assertThat(used[RIGHT]).isLessThanOrEqualTo(4);
                assertThat(used[LEFT] + used[RIGHT]).isLessThanOrEqualTo(6);
            }
            assertThat(engine.queued()).isZero();
        }
    }

    @Test
    void poolsOfLogJobsAreDrawnInProportionToTheirNodes() {
        Pools pools = Pools.of(
                List.of(Pool.of("short", 0, 10, new JobLimits(10, 100)), Pool.of("long", 10, 40, JobLimits.NONE)));
        int[] drawn = new int[3];
        for (int i = 0; i < 4_000; i++) {
            drawn[pools.drawn(i, 5, 50)]++;
        }
        assertThat(drawn[1]).as("a quarter of the nodes").isBetween(900, 1_100);
        assertThat(pools.drawn(1, 5, 101)).isEqualTo(2);
        assertThat(pools.drawn(1, 99, 101)).as("none allows it").isNotZero();
    }

    private static long startOf(BatchEngine engine, int job) {
        ForwardSimulation forward = new ForwardSimulation(engine.fork());
        forward.begin(engine);
        for (long t = 0; t != BatchEngine.NEVER; t = forward.next()) {
            forward.pass(t);
            if (forward.engine.isRunning(job)) {
                return t;
            }
        }
        return BatchEngine.NEVER;
    }

    /** The starts of jobs (arrival, pool, units, walltime, run time), of one pool only if it is not 0. */
    private static Map<Integer, Long> simulate(BatchEngine engine, List<long[]> jobs, int only) {
        Map<Integer, Long> starts = new TreeMap<>();
        Map<Integer, Integer> numbers = new HashMap<>();
        TreeMap<Long, TreeSet<Integer>> ends = new TreeMap<>();
        int[] started = new int[jobs.size()];
        int next = 0;
        while (next < jobs.size() || engine.queued() > 0 || !ends.isEmpty()) {
            long arrival = next < jobs.size() ? jobs.get(next)[0] : BatchEngine.NEVER;
            long end = ends.isEmpty() ? BatchEngine.NEVER : ends.firstKey();
            long t = Math.min(Math.min(arrival, end), engine.nextPass());
            for (int number : ends.getOrDefault(t, new TreeSet<>())) {
                engine.complete(handle(numbers, number), t);
                numbers.values().remove(number);
            }
            ends.remove(t);
            for (; next < jobs.size() && jobs.get(next)[0] == t; next++) {
                long[] job = jobs.get(next);
                if (only == 0 || only == job[1]) {
                    int pool = only == 0 ? (int) job[1] : Pools.ANY;
                    numbers.put(submit(engine, t, pool, (int) job[2], job[3]), next);
                }
            }
            int count = engine.pass(t, started);
            for (int i = 0; i < count; i++) {
                int number = Objects.requireNonNull(numbers.get(started[i]));
                starts.put(number, t);
                ends.computeIfAbsent(t + jobs.get(number)[4], each -> new TreeSet<>())
                        .add(number);
            }
        }
        return starts;
    }

    private static int handle(Map<Integer, Integer> numbers, int number) {
        return numbers.entrySet().stream()
                .filter(each -> each.getValue() == number)
                .findFirst()
                .orElseThrow()
                .getKey();
    }
}
