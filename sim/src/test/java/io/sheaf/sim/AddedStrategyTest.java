package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.WorkedExample;
import io.sheaf.workflow.Workflow;
import org.junit.jupiter.api.Test;

/** The worked example of how to add a strategy is compiled, does what its page shows, and is what the page quotes. */
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
