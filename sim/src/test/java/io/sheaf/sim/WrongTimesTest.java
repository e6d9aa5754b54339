package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.batch.Policy;
import io.sheaf.manager.DecisionSink;
import io.sheaf.sim.model.Presets;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests tasks whose estimates are wrong in all attempts: runs complete, and auto is not slower than one job. */
class WrongTimesTest {
    private static final long DAY = 86_400_000;
    private static final int NODES = 100;
    private static final List<String> STRATEGIES =
            List.of("auto", "onejob", "onejobpertask", "levelbylevel", "zhang", "glume");

    private final JobLog background = TraceRules.forNodes(NODES)
            .apply(Presets.model("kth-like").generateDays(12, 1))
            .jobs();

    @ParameterizedTest
    @ValueSource(strings = {"wrong:0.1", "wrong:0.3", "wrong:1", "wrong:0.3:0.05:10"})
    void allRunsCompleteWithWrongEstimates(String times) {
        Workflow workflow = Families.named("genome").generate(Recipe.of(50, 100L * 3600 * 1_000_000, 1));
        long auto = 0;
        long oneJob = 0;
        for (Policy policy : List.of(Policy.easy(), Policy.conservative())) {
            for (String strategy : STRATEGIES) {
                SimulatedRun run = run(workflow, strategy, policy, RunTimeDeviation.of(times));
                assertThat(run.completed()).as(strategy).isTrue();
                auto += strategy.equals("auto") ? run.makespanMillis() : 0;
                oneJob += strategy.equals("onejob") ? run.makespanMillis() : 0;
            }
        }
        assertThat(auto).isLessThanOrEqualTo(oneJob * 21 / 20);
    }

    private SimulatedRun run(Workflow workflow, String strategy, Policy policy, RunTimeDeviation taken) {
        SimulatedQueue queue = new SimulatedQueue(background, policy, NODES);
        queue.advanceTo(4 * DAY);
        RunTimes times = new RunTimes(workflow, Profile.OWN.planOrder(), 1);
        return WorkflowSimulation.run(
                queue,
                workflow,
                Strategies.named(strategy, times, Profile.OWN),
                SimulationSetup.of(Profile.OWN, Resources.node(1), 8)
                        .taking(taken.times(3))
                        .rules(taken::rules),
                DecisionSink.NOTHING);
    }

    /**
     * The factors of 2,000 tasks have a mean of 1; if a tenth of them is multiplied by 5, the mean is 1.4. All attempts
     * of a task have the same factor.
     */
    @Test
    void deviationFactorsAreFixedPerTask() {
        Workflow workflow = Families.named("chain").generate(Recipe.of(2000, 2000L * 3600 * 1_000_000, 1));
        assertThat(meanFactor(workflow, "wrong:0.3")).isBetween(0.97, 1.03);
        assertThat(meanFactor(workflow, "wrong:0.3:0.1:5")).isBetween(1.3, 1.5);
        assertThat(meanFactor(workflow, "exact")).isEqualTo(1);
    }

    private static double meanFactor(Workflow workflow, String text) {
        TaskTimes times = RunTimeDeviation.of(text).times(7);
        double sum = 0;
        for (int task = 0; task < workflow.size(); task++) {
            long taken = times.millis(workflow, task, 1);
            assertThat(times.millis(workflow, task, 2)).isEqualTo(taken);
            sum += (double) taken / TaskTimes.AS_EXPECTED.millis(workflow, task, 1);
        }
        return sum / workflow.size();
    }

    @Test
    void deviationsAreReadAsWritten() {
        assertThat(RunTimeDeviation.of("exact"))
                .isEqualTo(RunTimeDeviation.EXACT)
                .hasToString("exact");
        assertThat(RunTimeDeviation.of("spread:0.3"))
                .hasToString("spread:0.3000")
                .isEqualTo(RunTimeDeviation.of("noise:0.3"));
        assertThat(RunTimeDeviation.of("estimate-error:0.3:0.02:10"))
                .isEqualTo(RunTimeDeviation.of("wrong:0.3:0.02:10"));
        assertThat(RunTimeDeviation.of("wrong:0.3")).hasToString("wrong:0.3000");
        assertThat(RunTimeDeviation.of("wrong:0:0.02:10")).hasToString("wrong:0.0000:0.0200:10.0000");
        for (String wrong : List.of("", "wrong", "spread:0.1:0.1:2", "wrong:x", "wrong:0.1:2:2", "wrong:0.1:0.1:0.5")) {
            assertThatThrownBy(() -> RunTimeDeviation.of(wrong)).isInstanceOf(InputException.class);
        }
    }
}
