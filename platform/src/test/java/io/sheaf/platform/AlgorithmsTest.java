package io.sheaf.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.platform.TaskCriterion.Measure;
import io.sheaf.text.InputException;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What A0 to A35 stand for in each model, and that there may be more of them. */
class AlgorithmsTest {
    @Test
    void aNumberIsThreeCriteria() {
        for (Model model : Model.values()) {
            List<Algorithm> all = Algorithms.of(model);
            assertThat(all).hasSize(36);
            for (int x = 0; x < 36; x++) {
                Algorithm algorithm = all.get(x);
                assertThat(algorithm.name()).isEqualTo("A" + x);
                assertThat(algorithm.tasks()).isEqualTo(all.get(9 * (x / 9)).tasks());
                assertThat(algorithm.clusters())
                        .isEqualTo(all.get(3 * (x / 3 % 3)).clusters());
                assertThat(algorithm.cores()).isEqualTo(all.get(x % 3).cores());
            }
        }
    }

    @Test
    void a8MeansOtherThingsInOtherModels() {
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
    }

    /** a → b → c, and a → c, which the file order makes known only after the path. */
    @Test
    void anEdgeThatAPathMadeSuperfluousDoesNotCount() {
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
        // Here c comes before b, so the edge from a to c was there first.
        assertThat(ChildCounts.of(other.build())).containsExactly(2, 0, 1);
    }

    /** An algorithm that nobody published: shortest task first, to the slowest cluster, on one core. */
    @Test
    void aThirtySeventhIsOneRecord() {
        Algorithm mine = new Algorithm(
                "patient",
                new TaskCriterion.Least(Measure.WORK),
                (view, task, cluster) -> -view.cluster(cluster).speed(),
                (scenario, task, most) -> 1);
        for (Model model : Model.values()) {
            Scenario scenario = new Scenario(Small.layers(3, 20, 4), Platforms.of("P4"), model);
            Course course = Simulation.run(scenario, mine).course();
            for (int task = 0; task < scenario.size(); task++) {
                assertThat(course.cluster(task)).isZero();
                assertThat(course.cores(task)).isEqualTo(1);
            }
            List<Algorithm> more = new ArrayList<>(Algorithms.of(model));
            more.add(mine);
            Portfolio.Run run = Portfolio.run(scenario, more, PortfolioSettings.PUBLISHED);
            assertThat(run.rounds().get(0).candidates()).hasSize(37);
        }
    }
}
