package io.sheaf.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.random.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares the engine with two reference schedulers, a brute-force grid and a plain engine, for random jobs and
 * policies.
 */
class EngineAgainstReferencesTest {
    private static final List<QueueOrder> ORDERS = List.of(
            QueueOrder.ARRIVAL,
            new QueueOrder(20_000_000, 100, 0, 1, false),
            new QueueOrder(-20_000_000, 100, 0, 1, false),
            QueueOrder.EXTERNAL);

    @Test
    void agreesWithTheGrid() {
        compareWithGrid(0, 400);
    }

    @Test
    void agreesWithTheGridOnContiguousNodes() {
        compareWithContiguousGrid(10_000, 80);
    }

    @Test
    void agreesWithTheGridOnMemory() {
        compareWithMemory(30_000, 200);
    }

    @Test
    void agreesWithThePlainEngine() {
        compareWithPlainEngine(20_000, 150);
    }

    @Test
    @Tag("slow")
    void agreesWithTheReferencesOnManySeeds() {
        compareWithGrid(100_000, 3_000);
        compareWithContiguousGrid(200_000, 600);
        compareWithPlainEngine(300_000, 1_500);
        compareWithMemory(400_000, 1_500);
    }

    private static void compareWithGrid(int first, int count) {
        int starts = 0;
        int moved = 0;
        int estimatesPerCall = 0;
        for (int seed = first; seed < first + count; seed++) {
            RandomStream random = new RandomStream(seed);
            int nodes = 1 + random.nextInt(12);
            Policy policy = policy(random);
            Lockstep.Events events = seed % 3 == 0 ? Lockstep.Events.ARRIVALS_AND_ENDS : Lockstep.Events.ALL;
            Lockstep lockstep = new Lockstep(policy, nodes, new GridScheduler(policy, nodes), events, random);
            run(lockstep, seed, policy, 25, 4, 20);
            starts += lockstep.starts;
            moved += lockstep.moved;
            estimatesPerCall += lockstep.estimatesPerCall;
        }
        // The comparison has covered enough cases.
        assertThat(starts).isGreaterThan(7 * count);
        assertThat(moved).isGreaterThan(count);
        assertThat(estimatesPerCall).isGreaterThan(3 * count / 2);
    }

    private static void compareWithContiguousGrid(int first, int count) {
        int starts = 0;
        int moved = 0;
        for (int seed = first; seed < first + count; seed++) {
            RandomStream random = new RandomStream(seed);
            // Node sets of one, two and more words are searched by different code.
            int nodes = 1 + random.nextInt(seed % 8 == 0 ? 200 : 10);
            Policy policy = policy(random).withPlacement(Policy.NodeSelection.CONTIGUOUS);
            Lockstep lockstep =
                    new Lockstep(policy, nodes, new GridScheduler(policy, nodes), Lockstep.Events.ALL, random);
            run(lockstep, seed, policy, 20, 4, 15);
            starts += lockstep.starts;
            moved += lockstep.moved;
        }
        assertThat(starts).isGreaterThan(4 * count);
        assertThat(moved).isGreaterThan(count / 2);
    }

    private static void compareWithMemory(int first, int count) {
        int starts = 0;
        int moved = 0;
        for (int seed = first; seed < first + count; seed++) {
            RandomStream random = new RandomStream(seed);
            int nodes = 1 + random.nextInt(12);
            long[] sizes = new long[nodes];
            Arrays.setAll(sizes, i -> (1L + random.nextInt(4) * 4L) << 20);
            Policy policy = policy(random);
            Lockstep.Events events = seed % 3 == 0 ? Lockstep.Events.ARRIVALS_AND_ENDS : Lockstep.Events.ALL;
            boolean shared = seed % 2 == 0;
            PoolMemory memory = shared
                    ? PoolMemory.shared(Arrays.stream(sizes).sum())
                    : PoolMemory.ofNodes(
                            Arrays.stream(sizes).boxed().collect(Collectors.toMap(s -> s, s -> 1, Integer::sum)));
            GridScheduler.Memory brute = shared
                    ? together ->
                            together.stream().mapToLong(j -> j.units * j.memory).sum()
                                    <= Arrays.stream(sizes).sum()
                    : together -> fitsOnNodes(together, sizes);
            Lockstep lockstep = new Lockstep(
                    policy.withMemory(memory), nodes, new GridScheduler(policy, nodes, brute), events, random);
            run(lockstep, seed, policy.withMemory(memory), 25, 4, 20);
            starts += lockstep.starts;
            moved += lockstep.moved;
        }
        assertThat(starts).isGreaterThan(4 * count);
        assertThat(moved).isGreaterThan(count / 2);
    }

    /** Whether each unit gets a node of its own with enough memory: the units with the most memory on the largest nodes. */
    private static boolean fitsOnNodes(List<GridScheduler.Job> together, long[] sizes) {
        long[] needs = together.stream()
                .flatMapToLong(j -> LongStream.generate(() -> j.memory).limit(j.units))
                .sorted()
                .toArray();
        long[] sorted = Arrays.stream(sizes).sorted().toArray();
        int fewer = sorted.length - needs.length;
        return fewer < 0 ? false : IntStream.range(0, needs.length).allMatch(i -> needs[i] <= sorted[fewer + i]);
    }

    private static void compareWithPlainEngine(int first, int count) {
        int starts = 0;
        for (int seed = first; seed < first + count; seed++) {
            RandomStream random = new RandomStream(seed);
            int nodes = 1 + random.nextInt(200);
            Policy policy = policy(random);
            if (random.chance(0.2)) {
                policy = policy.withOrder(QueueOrder.ARRIVAL.withFairShare(3_600_000, 100));
            } else if (random.chance(0.3)) {
                // The plain engine does not have our user in its fair-share tree.
                policy = policy.withLimits(policy.perUser().of(UserLimits.LimitScope.ALL));
                policy = policy.withOrder(QueueOrder.of(new Multifactor(
                        random.nextInt(1000),
                        200,
                        random.nextInt(1000),
                        random.chance(0.5),
                        1000,
                        300,
                        1 + random.nextInt(60),
                        1,
                        true)));
            }
            Lockstep.Events events = seed % 2 == 0 ? Lockstep.Events.ARRIVALS_AND_ENDS : Lockstep.Events.ALL;
            Lockstep lockstep = new Lockstep(policy, nodes, new PlainEngine(policy, nodes), events, random);
            run(lockstep, seed, policy, 150, 1 + random.nextInt(20), 100);
            starts += lockstep.starts;
        }
        assertThat(starts).isGreaterThan(30 * count);
    }

    private static void run(Lockstep lockstep, int seed, Policy policy, int arrivals, int gap, int longest) {
        try {
            lockstep.run(arrivals, gap, longest);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + ", " + policy + ": " + e.getMessage(), e);
        }
    }

    private static Policy policy(RandomStream random) {
        int depth = random.chance(0.5) ? Policy.CONSERVATIVE : random.nextInt(5);
        UserLimits limits = random.chance(0.7)
                ? UserLimits.NONE
                : new UserLimits(
                        1 + random.nextInt(4),
                        1 + random.nextInt(20),
                        random.chance(0.5) ? Long.MAX_VALUE : 1 + random.nextInt(1_000),
                        random.chance(0.5) ? UserLimits.LimitScope.ALL : UserLimits.LimitScope.OWN);
        return Policy.depth(depth)
                .withOrder(ORDERS.get(random.nextInt(ORDERS.size())))
                .withLimits(limits);
    }
}
