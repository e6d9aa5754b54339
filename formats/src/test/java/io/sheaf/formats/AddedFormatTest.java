package io.sheaf.formats;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.registry.Formats;
import io.sheaf.testing.WorkedExample;
import io.sheaf.workflow.Workflow;
import org.junit.jupiter.api.Test;

/** Tests that the worked example of an added format compiles and that its page shows its code and its output. */
class AddedFormatTest {
    @Test
    void theExampleMatchesItsPage() throws Exception {
        WorkedExample example = new WorkedExample(
                "examples/adding/TaskList.java", "docs/how-to/add-a-format.md", Workflow.class, Formats.class);
        assertThat(example.page()).contains(example.run());
        assertThat(example.quoted()).isNotEmpty().allSatisfy(line -> assertThat(example.source())
                .contains(line));
    }
}
