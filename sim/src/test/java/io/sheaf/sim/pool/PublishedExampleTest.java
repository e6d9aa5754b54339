package io.sheaf.sim.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.planner.Executor;
import io.sheaf.planner.Policies;
import io.sheaf.planner.RankedDag;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests Figures 1 and 4 of Yu and Shi: two workflows, each of a job, three jobs and a job, on two elements. The second
 * workflow arrives at 6, when the first job has ended.
 *
 * <p>The ranks are published, the weights are not: the weights here give the same ranks.
 */
class PublishedExampleTest {
    /** Times of jobs 1 to 5, then costs of edges from job 1 to 2, 3 and 4, and from these to 5. */
    private static RankedDag dag(int[] seconds, int[] down, int[] up) {
        WorkflowBuilder builder = new WorkflowBuilder("dag").fileEdges(true);
        for (int i = 0; i < 5; i++) {
            builder.time(builder.task("job" + (i + 1)), seconds[i] * 1_000_000L);
        }
        for (int i = 0; i < 3; i++) {
            int file = builder.file("down" + i, down[i] * 1_000_000L);
            builder.output(0, file).input(i + 1, file);
            int back = builder.file("up" + i, up[i] * 1_000_000L);
            builder.output(i + 1, back).input(4, back);
        }
        return RankedDag.of(builder.build(), 1e6, 1, RankedDag.WHOLE);
    }

    // A-5 8; A-2 10 + 8 + 8 = 26, A-3 9 + 6 + 8 = 23, A-4 11 + 6 + 8 = 25; A-1 6 + max(13 + 26, 10 + 23, 8 + 25) = 45.
    private static final RankedDag A = dag(new int[] {6, 10, 9, 11, 8}, new int[] {13, 10, 8}, new int[] {8, 6, 6});
    // B-5 10; B-2 12 + 6 + 10 = 28, B-3 11 + 6 + 10 = 27, B-4 9 + 5 + 10 = 24; B-1 5 + max(8 + 28, 7 + 27, 6 + 24) =
    // 41.
    private static final RankedDag B = dag(new int[] {5, 12, 11, 9, 10}, new int[] {8, 7, 6}, new int[] {6, 6, 5});

    /** Bindings in their order: name, element, start–end. */
    private static List<String> schedule(String policy) {
        List<String> bound = new ArrayList<>();
        PoolSimulation.run(
                List.of(new Arrival(A, 0, 0), new Arrival(B, 6_000, 1)),
                equal(2),
                Policies.named(policy, 0),
                (of, task, element, start, end) -> bound.add((of.dag() == A ? "A-" : "B-") + (task + 1) + " P"
                        + (element + 1) + " " + start / 1000 + "–" + end / 1000));
        return bound;
    }

    @Test
    void ranksEqualThePublishedOnes() {
        long[] a = new long[5];
        long[] b = new long[5];
        for (int i = 0; i < 5; i++) {
            a[i] = A.rank(i) / 1000;
            b[i] = B.rank(i) / 1000;
        }
        assertThat(a).containsExactly(45, 26, 23, 25, 8);
        assertThat(b).containsExactly(41, 28, 27, 24, 10);
    }

    /**
     * The jobs of B run first: A-4 waits for B-2 and B-3, A-3 for all but the last. A-2 waits on P2 for its data until
     * 6 + 13.
     */
    @Test
    void highestRankFirstRunsA3AndA4Late() {
        assertThat(schedule("rank-hf"))
                .containsExactly(
                        "A-1 P1 0–6",
                        "B-1 P1 6–11",
                        "A-2 P2 19–29",
                        "B-2 P1 11–23",
                        "B-3 P1 23–34",
                        "A-4 P2 29–40",
                        "B-4 P1 34–43",
                        "A-3 P2 40–49",
                        "B-5 P1 43–53",
                        "A-5 P2 49–57");
    }

    /**
     * A is nearer to its end: A-3 runs where its data are, A-4 where they arrive at 6 + 8, then A-2. A-5 waits for the
     * data of A-4 until 25 + 6, and B-1 runs beside it.
     */
    @Test
    void hybridRunsAllOfABeforeB() {
        assertThat(schedule("rank-hybd"))
                .containsExactly(
                        "A-1 P1 0–6",
                        "A-3 P1 6–15",
                        "A-4 P2 14–25",
                        "A-2 P1 15–25",
                        "A-5 P1 31–39",
                        "B-1 P2 25–30",
                        "B-2 P2 30–42",
                        "B-3 P1 39–50",
                        "B-4 P2 42–51",
                        "B-5 P1 56–66");
    }

    @Test
    void theRunIsMeasuredAsInThePaper() {
        PoolRun run = PoolSimulation.run(
                List.of(new Arrival(A, 0, 0), new Arrival(B, 6_000, 1)), equal(2), Policies.named("rank-hybd", 0));
        assertThat(run.makespan(0)).isEqualTo(39_000);
        assertThat(run.makespan(1)).isEqualTo(41_000);
        assertThat(run.turnaround(1)).isEqualTo(60_000);
        assertThat(run.span()).isEqualTo(66_000);
        // 44 + 47 s of work on two elements.
        assertThat(run.utilization()).isEqualTo(91 / 132.0);
        // Slowdowns 1 and 1.5: 2.5² / 2 / (1 + 2.25).
        assertThat(PoolRun.fairness(new double[] {39 / 39.0, 60 / 40.0})).isEqualTo(6.25 / 2 / 3.25);
    }

    /** Equal elements and owners, transfers from the end of a job on, as in the paper. */
    static PoolSimulation.PoolSetup equal(int elements) {
        return new PoolSimulation.PoolSetup(Collections.nCopies(elements, 1.0), Executor.Transfer.AT_END, List.of(1.0));
    }
}
