package io.sheaf.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.platform.TaskCriterion.Measure;
import io.sheaf.text.InputException;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the criteria of A0 to A35 in each model and of additional algorithms. */
class AlgorithmsTest {
    /** The numbers are those of section 4.3 of the paper and, for {@link Model#PUBLISHED}, of the published data. */
    @Test
    void eachNumberStandsForThreeCriteria() {
        List<TaskCriterion> paper = List.of(
                new TaskCriterion.Most(Measure.BOTTOM_LEVEL),
                new TaskCriterion.Most(Measure.CHILDREN),
                new TaskCriterion.Most(Measure.DATA),
                new TaskCriterion.Most(Measure.WORK));
        List<TaskCriterion> published = List.of(
                new TaskCriterion.Least(Measure.CHILDREN),
                new TaskCriterion.Least(Measure.BOTTOM_LEVEL),
                new TaskCriterion.Least(Measure.INPUT_DATA),
                new TaskCriterion.Least(Measure.WORK));
        List<ClusterCriterion> clusters = List.of(
                ClusterCriterion.Measure.LOCAL_DATA,
                ClusterCriterion.Measure.IDLE_CORES,
                ClusterCriterion.Measure.FASTEST);
        List<CoreCriterion> cores =
                List.of(new CoreCriterion.Efficiency(0.9), new CoreCriterion.Efficiency(0.5), new CoreCriterion.All());
        for (Model model : Model.values()) {
            List<Algorithm> expected = new ArrayList<>();
            for (TaskCriterion c1 : model == Model.PAPER ? paper : published) {
                for (ClusterCriterion c2 : clusters) {
                    for (CoreCriterion c3 : cores) {
                        expected.add(new Algorithm("A" + expected.size(), c1, c2, c3));
                    }
                }
            }
            assertThat(expected).hasSize(36);
            assertThat(Algorithms.of(model)).isEqualTo(expected);
        }
    }

    @Test
    void a8HasOtherCriteriaInEachModel() {
        assertThat(Algorithms.named("A_8", Model.PAPER).tasks())
                .isEqualTo(new TaskCriterion.Most(Measure.BOTTOM_LEVEL));
        assertThat(Algorithms.named("a8", Model.PUBLISHED).tasks())
                .isEqualTo(new TaskCriterion.Least(Measure.CHILDREN));
        assertThatThrownBy(() -> Algorithms.named("A36", Model.PAPER))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("A0 to A35");
    }

    @Test
    void efficiencyLimitsCores() {
        Scenario scenario = new Scenario(Small.one(), Platforms.of("P1"), Model.PAPER);
        // α = 0.9593: 1 / (0.0407 n + 0.9593) is 0.925 for 3 cores, 0.891 for 4; above 0.5 up to 25.
        assertThat(new CoreCriterion.Efficiency(0.9).cores(scenario, 0, 8)).isEqualTo(3);
        assertThat(new CoreCriterion.Efficiency(0.5).cores(scenario, 0, 8)).isEqualTo(8);
        assertThat(new CoreCriterion.Efficiency(0.5).cores(scenario, 0, 32)).isEqualTo(25);
        assertThat(new CoreCriterion.All().cores(scenario, 0, 5)).isEqualTo(5);
        // α = 0: 1 / n is exactly 0.5 on 2 cores; the limit is inclusive, as in the authors' simulator.
        assertThat(new CoreCriterion.Efficiency(0.5).cores(0, 8)).isEqualTo(2);
        // 0.25 · 2 + 0.75 = 1.25: exactly 0.8 on 2 cores.
        assertThat(new CoreCriterion.Efficiency(0.8).cores(0.75, 8)).isEqualTo(2);
    }

    /** The edges are a → b → c and, added after this path in the order of the files, a → c. */
    @Test
    void anEdgeThatAnEarlierPathMakesRedundantIsNotCounted() {
        WorkflowBuilder builder = new WorkflowBuilder("w").fileEdges(true);
        int a = builder.task("a");
        int b = builder.task("b");
        int c = builder.task("c");
        int fromA = builder.file("fa", 1);
        int fromB = builder.file("fb", 1);
        builder.output(a, fromA)
                .input(b, fromA)
                .output(b, fromB)
                .input(c, fromB)
                .input(c, fromA);
        assertThat(ChildCounts.of(builder.build())).containsExactly(1, 1, 0);
        WorkflowBuilder other = new WorkflowBuilder("w").fileEdges(true);
        a = other.task("a");
        c = other.task("c");
        b = other.task("b");
        fromA = other.file("fa", 1);
        fromB = other.file("fb", 1);
        other.output(a, fromA).input(b, fromA).output(b, fromB).input(c, fromB).input(c, fromA);
        // Here c comes before b, so the edge from a to c is added first.
        assertThat(ChildCounts.of(other.build())).containsExactly(2, 0, 1);
    }

    /** An unpublished algorithm: shortest task first, to the slowest cluster, on one core. */
    @Test
    void aNewAlgorithmIsOneRecord() {
        Algorithm custom = new Algorithm(
                "patient",
                new TaskCriterion.Least(Measure.WORK),
                (view, task, cluster) -> -view.cluster(cluster).speed(),
                (scenario, task, max) -> 1);
        for (Model model : Model.values()) {
            Scenario scenario = new Scenario(Small.layers(3, 20, 4), Platforms.of("P4"), model);
            PlatformExecution execution =
                    PlatformSimulation.run(scenario, custom).execution();
            for (int task = 0; task < scenario.size(); task++) {
                assertThat(execution.cluster(task)).isZero();
                assertThat(execution.cores(task)).isEqualTo(1);
            }
            List<Algorithm> more = new ArrayList<>(Algorithms.of(model));
            more.add(custom);
            PlatformPortfolio.Run run = PlatformPortfolio.run(scenario, more, PortfolioSettings.PUBLISHED);
            assertThat(run.rounds().get(0).candidates()).hasSize(37);
        }
    }
}
