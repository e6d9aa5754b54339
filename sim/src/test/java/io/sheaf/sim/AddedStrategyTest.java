package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.WorkedExample;
import io.sheaf.workflow.Workflow;
import org.junit.jupiter.api.Test;

/**
 * Tests that the worked example of adding a strategy compiles, prints the output on its page, and is quoted correctly.
 */
class AddedStrategyTest {
    @Test
    void theExampleMatchesItsPage() throws Exception {
        WorkedExample example = new WorkedExample(
                "examples/adding/AtOnce.java", "docs/how-to/add-a-strategy.md", Workflow.class, SimulatedQueue.class);
        assertThat(example.page()).contains(example.run());
        assertThat(example.quoted()).isNotEmpty().allSatisfy(line -> assertThat(example.source())
                .contains(line));
    }
}
