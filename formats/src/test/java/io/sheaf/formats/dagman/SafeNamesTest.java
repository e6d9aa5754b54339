package io.sheaf.formats.dagman;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.workflow.WorkflowBuilder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SafeNamesTest {
    @Test
    void keepsAllowedNamesAndNumbersDuplicates() {
        WorkflowBuilder builder = new WorkflowBuilder("w");
        for (String id : new String[] {"a.b", "a_b", "a+b", "a_b_2", "Parent", "c"}) {
            builder.task(id);
        }
        DagmanWriter.SafeNames names = new DagmanWriter.SafeNames(builder.build());
        assertThat(IntStream.range(0, 6).mapToObj(names::name))
                .containsExactly("a_b_3", "a_b", "a_b_4", "a_b_2", "Parent_2", "c");
    }
}
