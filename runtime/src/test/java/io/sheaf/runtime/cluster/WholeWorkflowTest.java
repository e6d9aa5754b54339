package io.sheaf.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.batch.Policy;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.report.DecisionRecord;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cluster that receives a whole workflow simulates every strategy on its own queue. */
class WholeWorkflowTest {
    private static final long BASE = 1_000_000_000_000L;

    /** A chain of 10 s and 20 s on an idle cluster: any strategy that starts its first job at once ends after 30 s. */
    @Test
    void aChainOnAnIdleClusterTakesItsRunTimes() {
        WholeWorkflow whole = simulated(new ClusterMachine(Policy.conservative(), 4, null, BASE), chain());
        assertThat(whole.tries())
                .extracting(WholeWorkflow.StrategySimulation::strategy)
                .containsExactlyInAnyOrderElementsOf(Strategies.SINGLE);
        assertThat(whole.tries().get(0).makespan()).isEqualTo(30_000);
        // One node for 30 s is the minimum.
        assertThat(whole.tries().get(0).held()).isEqualTo(30_000);
        assertThat(whole.chosen()).isEqualTo(whole.tries().get(0).strategy());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 3, 7, 13})
    void theStrategyWithTheShortestMakespanIsChosen(long seed) {
        ClusterMachine machine = busy(seed);
        WholeWorkflow whole = simulated(machine, fan());
        assertThat(whole.tries()).hasSize(Strategies.SINGLE.size());
        assertThat(whole.tries())
                .isSortedAccordingTo(Comparator.comparingLong(WholeWorkflow.StrategySimulation::makespan)
                        .thenComparingLong(WholeWorkflow.StrategySimulation::held));
        assertThat(whole.tries().get(0).makespan())
                .as("makespans of strategies differ")
                .isLessThan(whole.tries().get(whole.tries().size() - 1).makespan());
        assertThat(simulated(machine, fan())).as("repeatable on one machine").isEqualTo(whole);
        assertThat(simulated(busy(seed), fan()))
                .as("the same for an equal queue")
                .isEqualTo(whole);
    }

    @Test
    void simulationsDoNotChangeTheQueue() {
        ClusterMachine machine = busy(3);
        ClusterMachine other = busy(3);
        simulated(machine, fan());
        StartTimes starts = new StartTimes();
        StartTimes expected = new StartTimes();
        for (long at = BASE; at < BASE + 600_000; at += 7_000) {
            machine.pass(at);
            other.pass(at);
            StartQuery query = StartQuery.of(at, 0, 1, 60_000)
                    .add(0, 2, 60_000)
                    .add(0, 4, 120_000)
                    .add(0, 8, 600_000);
            machine.planned().estimate(query, starts);
            other.planned().estimate(query, expected);
            for (int i = 0; i < query.jobs(); i++) {
                assertThat(starts.job(i)).isEqualTo(expected.job(i));
            }
        }
    }

    @Test
    void theTextFormIsReadBack() {
        WholeWorkflow whole = simulated(busy(2), fan());
        assertThat(WholeWorkflow.read(whole.text())).isEqualTo(whole);
        DecisionRecord decided = whole.decided(BASE + 5);
        assertThat(decided.at()).isEqualTo(BASE + 5);
        assertThat(decided.options()).hasSize(whole.tries().size());
        assertThat(decided.options().get(0).makespan())
                .isEqualTo(whole.tries().get(0).makespan());
        assertThat(decided.chosen()).contains(whole.chosen());
        assertThatThrownBy(() -> WholeWorkflow.read("5\nglume 7\n"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("glume 7");
    }

    @Test
    void aWorkflowThatNoStrategyCompletesIsRefused() {
        WholeWorkflow none =
                new WholeWorkflow(1, List.of(new WholeWorkflow.StrategySimulation("glume", -1, 0, 0, 1, 1, 0)));
        assertThatThrownBy(none::chosen).isInstanceOf(InputException.class).hasMessageContaining("no strategy");
    }

    private static ClusterMachine busy(long seed) {
        return new ClusterMachine(Policy.conservative(), 8, ModelledLoad.of("kth-like@600x", 8, seed), BASE);
    }

    private static WholeWorkflow simulated(ClusterMachine machine, Workflow workflow) {
        return WholeWorkflow.tried(machine.queue(BASE), workflow, Profile.OWN, Resources.node(1), 16);
    }

    private static Workflow chain() {
        WorkflowBuilder builder = new WorkflowBuilder("chain");
        builder.edge(task(builder, "a", 10), task(builder, "b", 20));
        return builder.build();
    }

    private static Workflow fan() {
        WorkflowBuilder builder = new WorkflowBuilder("fan");
        int first = task(builder, "first", 12);
        for (int i = 0; i < 6; i++) {
            builder.edge(first, task(builder, "member-" + i, 6));
        }
        return builder.build();
    }

    private static int task(WorkflowBuilder builder, String id, int seconds) {
        int task = builder.task(id);
        builder.time(task, seconds * 1_000_000L);
        return task;
    }
}
