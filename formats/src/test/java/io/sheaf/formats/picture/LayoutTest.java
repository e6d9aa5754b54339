package io.sheaf.formats.picture;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.random.RandomStream;
import io.sheaf.testing.RandomWorkflows;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LayoutTest {
    /** Each task has one child in a shuffled second level, so an order without crossings exists. */
    @Test
    void ordersAMatchingWithoutCrossings() {
        int pairs = 40;
        WorkflowBuilder builder = new WorkflowBuilder("matching");
        IntStream.range(0, 2 * pairs).forEach(i -> builder.task("t" + i));
        RandomStream random = new RandomStream(7);
        int[] partner = IntStream.range(pairs, 2 * pairs).toArray();
        for (int i = pairs - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swap = partner[i];
            partner[i] = partner[j];
            partner[j] = swap;
        }
        IntStream.range(0, pairs).forEach(i -> builder.edge(i, partner[i]));
        Workflow w = builder.build();
        int[][] inputOrder = {
            IntStream.range(0, pairs).toArray(),
            IntStream.range(pairs, 2 * pairs).toArray()
        };
        assertThat(crossings(w, inputOrder)).isGreaterThan(100);
        assertThat(crossings(w, LevelOrder.of(w))).isZero();
    }

    @Test
    void ordersEveryTaskOnceInItsLevel() {
        for (int seed = 0; seed < 50; seed++) {
            Workflow w = new RandomWorkflows(seed, List.of()).next();
            int[][] order = LevelOrder.of(w);
            assertThat(order).hasNumberOfRows(w.levels());
            for (int level = 0; level < w.levels(); level++) {
                int[] sorted = order[level].clone();
                Arrays.sort(sorted);
                int theLevel = level;
                assertThat(sorted)
                        .isEqualTo(IntStream.range(0, w.width(level))
                                .map(i -> w.taskOfLevel(theLevel, i))
                                .toArray());
            }
        }
    }

    @Test
    void wrapsAWideLevelWithoutOverlaps() {
        for (int width : new int[] {1, 7, 59, 60, 61, 500, 3000}) {
            WorkflowBuilder builder = new WorkflowBuilder("wide");
            int root = builder.task("root");
            IntStream.range(0, width).forEach(i -> builder.edge(root, builder.task("some-task-" + i)));
            Workflow w = builder.build();
            Layout layout = new Layout(w, 100);
            assertThat(layout.width).isLessThan(3_000);
            for (int task = 0; task < w.size(); task++) {
                assertThat(layout.x[task] - layout.boxWidth / 2.0).isGreaterThan(Layout.GUTTER);
                assertThat(layout.x[task] + layout.boxWidth / 2.0).isLessThan(layout.width);
                assertThat(layout.y[task] - layout.boxHeight / 2.0).isGreaterThan(layout.bandTop[w.level(task)]);
                assertThat(layout.y[task] + layout.boxHeight / 2.0).isLessThan(layout.bandTop[w.level(task) + 1]);
            }
            assertNoOverlap(layout);
        }
    }

    private static void assertNoOverlap(Layout layout) {
        int count = Math.min(layout.x.length, 600);
        for (int a = 0; a < count; a++) {
            for (int b = a + 1; b < count; b++) {
                boolean apart = Math.abs(layout.x[a] - layout.x[b]) > layout.boxWidth
                        || Math.abs(layout.y[a] - layout.y[b]) > layout.boxHeight;
                assertThat(apart).as("boxes " + a + " and " + b).isTrue();
            }
        }
    }

    /** Crossings between the two levels, counted pair by pair. */
    private static int crossings(Workflow w, int[][] order) {
        int[] place = new int[w.size()];
        for (int[] level : order) {
            for (int i = 0; i < level.length; i++) {
                place[level[i]] = i;
            }
        }
        int crossings = 0;
        for (int a = 0; a < w.size(); a++) {
            for (int b = 0; b < w.size(); b++) {
                if (w.parents(a) == 1 && w.parents(b) == 1 && place[a] < place[b]) {
                    crossings += place[w.parent(a, 0)] > place[w.parent(b, 0)] ? 1 : 0;
                }
            }
        }
        return crossings;
    }
}
