package io.sheaf.formats.dax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.formats.Source;
import io.sheaf.testing.RandomWorkflows;
import io.sheaf.testing.SameWorkflow;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class DaxRoundTripTest {
    @Test
    void keepsEverything() throws IOException {
        for (int seed = 0; seed < 300; seed++) {
            Workflow workflow = RandomWorkflows.withEverything(seed).next();
            SameWorkflow.assertSame(workflow, roundTrip(workflow));
        }
    }

    @Test
    void keepsUnusualNamesAndArguments() throws IOException {
        WorkflowBuilder builder = new WorkflowBuilder("a \"b\" <c> & 'd'\n\te");
        int first = builder.task("1");
        builder.command(first, Command.of(List.of("prog with blank")));
        int second = builder.task("2");
        builder.category(second, "x").command(second, Command.of(List.of("/opt/ü b/%20", "a\r\nb", "\\")));
        int third = builder.task("3");
        builder.category(third, "x").command(third, Command.of(List.of("//host/prog", "")));
        builder.file("unused", 1);
        Workflow workflow = builder.build();
        Workflow restored = roundTrip(workflow);
        for (int task = 0; task < workflow.size(); task++) {
            assertThat(SameWorkflow.describe(restored, task)).isEqualTo(SameWorkflow.describe(workflow, task));
        }
        assertThat(restored.name()).isEqualTo(workflow.name());
    }

    @Test
    void refusesCharactersThatXmlCannotRepresent() {
        WorkflowBuilder builder = new WorkflowBuilder("w");
        builder.command(builder.task("t"), Command.of(List.of("p", "a\u0001")));
        assertThatThrownBy(() -> roundTrip(builder.build()))
                .isInstanceOf(InputException.class)
                .hasMessage("XML cannot represent the character with the code 1 in ''a ''; remove it");
    }

    private static Workflow roundTrip(Workflow workflow) throws IOException {
        StringWriter text = new StringWriter();
        new DaxWriter().write(workflow, text);
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        return new DaxReader().read(Source.of("again.dax", bytes), false);
    }
}
