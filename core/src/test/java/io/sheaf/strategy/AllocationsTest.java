package io.sheaf.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.random.RandomStream;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Search for the best number of nodes, compared with results by hand and with an exhaustive search. */
class AllocationsTest {
    /** Eight tasks of ten seconds. */
    private static LevelRange bag() {
        WorkflowBuilder b = new WorkflowBuilder("bag");
        for (int i = 0; i < 8; i++) {
            b.time(b.task("t" + i), 10_000_000);
        }
        return new RunTimes(b.build(), TaskOrder.BY_NUMBER, 1).range(0, 0);
    }

    /** Up to four nodes are free now, more in 15 seconds. */
    private static final StartDelays STEP = (nodes, walltime, count, delay) -> {
        for (int i = 0; i < count; i++) {
            delay[i] = nodes[i] <= 4 ? 0 : 15_000;
        }
    };

    @Test
    void theEarliestEndIsFound() {
        // n 1…8: run 80 40 30 20 20 20 20 10; from 5 on a wait of 15: ends 80 40 30 20 35 35 35 25.
        Allocation best = new Allocations(TieRule.SMALLEST).exhaustive(bag(), 0, 8, STEP);
        assertThat(best).isEqualTo(new Allocation(4, 20_000, 0));
        assertThat(best.end(0)).isEqualTo(20_000);
        // No job can start before 15: ends 95 55 45 35 35 35 35 25.
        assertThat(new Allocations(TieRule.SMALLEST).exhaustive(bag(), 15_000, 8, STEP))
                .isEqualTo(new Allocation(8, 10_000, 15_000));
    }

    @Test
    void tiesFollowTheRule() {
        // As above with at most 7 nodes: 4, 5, 6 and 7 end at 35.
        assertThat(Objects.requireNonNull(new Allocations(TieRule.SMALLEST)
                                .prunedBefore(bag(), 15_000, 7, STEP, Allocations.ANY_END))
                        .nodes())
                .isEqualTo(4);
        assertThat(Objects.requireNonNull(new Allocations(TieRule.LARGEST)
                                .prunedBefore(bag(), 15_000, 7, STEP, Allocations.ANY_END))
                        .nodes())
                .isEqualTo(7);
    }

    @Test
    void jobsThatNeverStartAreNotChosen() {
        StartDelays few = (nodes, walltime, count, delay) -> {
            for (int i = 0; i < count; i++) {
                delay[i] = nodes[i] > 2 || walltime[i] > 60_000 ? StartDelays.NEVER : 7;
            }
        };
        assertThat(new Allocations(TieRule.LARGEST).prunedBefore(bag(), 0, 8, few, Allocations.ANY_END))
                .isEqualTo(new Allocation(2, 40_000, 7));
    }

    @Test
    void tooFewNodesAreRefused() {
        WorkflowBuilder b = new WorkflowBuilder("mpi");
        b.resources(b.task("mpi"), new Resources(1, 0, 0, 5)).time(0, 1_000);
        LevelRange range = new RunTimes(b.build(), TaskOrder.BY_NUMBER, 1).range(0, 0);
        assertThatThrownBy(() -> new Allocations(TieRule.SMALLEST).prunedBefore(range, 0, 4, STEP, Allocations.ANY_END))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("task 'mpi' needs 5 nodes, the job has 4");
        assertThat(Objects.requireNonNull(
                                new Allocations(TieRule.SMALLEST).prunedBefore(range, 0, 9, STEP, Allocations.ANY_END))
                        .nodes())
                .isEqualTo(5);
    }

    @Test
    void pruningDoesNotChangeTheResult() {
        int scheduled = 0;
        int all = 0;
        for (int seed = 0; seed < 4_000; seed++) {
            RandomStream random = new RandomStream(seed);
            boolean shaped = random.chance(0.3);
            Workflow workflow = shaped ? SmallWorkflows.shaped(random) : SmallWorkflows.plain(random);
            int cores = shaped ? random.between(4, 8) : random.between(1, 2);
            TaskOrder order = anyOf(random, TaskOrder.values());
            int first = random.nextInt(workflow.levels());
            int last = random.between(first, workflow.levels() - 1);
            // Created together with the shorter ranges, so that they share bounds.
            List<LevelRange> prefixes =
                    new RunTimes(workflow, order, Resources.node(cores), random.between(1, 30)).prefixes(first, last);
            LevelRange fresh = prefixes.get(prefixes.size() - 1);
            LevelRange other = new RunTimes(workflow, order, cores).range(first, last);
            TieRule tie = anyOf(random, TieRule.values());
            Allocations pruned = new Allocations(tie);
            Allocations exhaustive = new Allocations(tie);
            // Twice, the second time with the run times and bounds cached by the first.
            for (int round = 0; round < 2; round++) {
                StartDelays waits = waits(random);
                long delay = random.chance(0.5) ? 0 : random.nextLong(200);
                int max = fresh.minNodes() + random.nextInt(14);
                Allocation best = tryAll(other, delay, max, waits, tie);
                long before = Math.max(0, Math.min(best.end(delay), 1_000_000) + random.between(-20, 20));
                assertThat(pruned.prunedBefore(fresh, delay, max, waits, before))
                        .as("seed %s round %s before %s", seed, round, before)
                        .isEqualTo(best.end(delay) < before ? best : null);
                assertThat(pruned.prunedBefore(fresh, delay, max, waits, Allocations.ANY_END))
                        .as("seed %s round %s", seed, round)
                        .isEqualTo(exhaustive.exhaustive(other, delay, max, waits))
                        .isEqualTo(best);
            }
            for (int n = fresh.minNodes(); n < fresh.minNodes() + 14; n++) {
                all += other.isKnown(n) ? 1 : 0;
                scheduled += fresh.isKnown(n) ? 1 : 0;
            }
        }
        assertThat(scheduled).isLessThan(all);
    }

    private static <T> T anyOf(RandomStream random, T[] all) {
        return all[random.nextInt(all.length)];
    }

    /** A wait that grows with nodes and walltime, in steps. */
    private static StartDelays waits(RandomStream random) {
        long perNode = random.chance(0.3) ? 0 : random.nextLong(20);
        long nodeStep = 1 + random.nextLong(6);
        long perTime = random.chance(0.3) ? 0 : random.nextLong(30);
        long timeStep = 1 + random.nextLong(60);
        long never = random.chance(0.1) ? random.nextLong(300) : Long.MAX_VALUE;
        return (nodes, walltime, count, delay) -> {
            for (int i = 0; i < count; i++) {
                delay[i] = walltime[i] > never
                        ? StartDelays.NEVER
                        : nodes[i] / nodeStep * perNode + walltime[i] / timeStep * perTime;
            }
        };
    }

    private static Allocation tryAll(LevelRange range, long delay, int max, StartDelays waits, TieRule tie) {
        Allocation best = null;
        for (int n = range.minNodes(); n <= max; n++) {
            long run = range.millis(n);
            long[] wait = new long[1];
            waits.starts(new int[] {n}, new long[] {run}, 1, wait);
            Allocation one = new Allocation(n, run, wait[0]);
            if (best == null
                    || one.end(delay) < best.end(delay)
                    || (one.end(delay) == best.end(delay) && tie.wins(n, best.nodes()))) {
                best = one;
            }
        }
        if (best == null) {
            throw new AssertionError("no n at all");
        }
        return best;
    }
}
