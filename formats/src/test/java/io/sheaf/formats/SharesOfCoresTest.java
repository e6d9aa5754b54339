package io.sheaf.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.formats.registry.Formats;
import io.sheaf.testing.SameWorkflow;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that fractions of a core survive every format that Sheaf writes. */
class SharesOfCoresTest {
    private static Workflow half() {
        WorkflowBuilder builder = new WorkflowBuilder("half");
        int task = builder.task("a");
        builder.category(task, "a")
                .time(task, 1_000_000)
                .command(task, Command.of(List.of("true")))
                .resources(task, Resources.of(500, 0, 0, 1));
        return builder.build();
    }

    private static String written(String format, Workflow workflow) throws IOException {
        StringWriter text = new StringWriter();
        Formats.writer(format).write(workflow, text);
        return text.toString();
    }

    private static Workflow read(String format, String text) throws IOException {
        return Formats.reader(format).read(Source.of("w", text.getBytes(StandardCharsets.UTF_8)), true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"yaml", "wfformat", "dax", "dagman"})
    void aFractionOfACoreSurvivesTheRoundTrip(String format) throws IOException {
        String text = written(format, half());
        assertThat(text).contains("0.5");
        SameWorkflow.assertSame(half(), read(format, text));
    }

    @ParameterizedTest
    @CsvSource({
        "wfformat,0.0005,must be between 0.001 and 0.999 in steps of 0.001",
        "wfformat,-0.5,must be between 0.001 and 0.999 in steps of 0.001",
        "wfformat,1e-999999999,must be between 0.001 and 0.999 in steps of 0.001",
        "dax,0.0005,is not a number of cores",
        "dax,NaN,is not a number of cores",
        "dagman,0.0005,is not a number of cores",
        "dagman,-0.5,is not a number of cores",
    })
    void anInvalidFractionOfACoreIsRefused(String format, String share, String reason) throws IOException {
        String text = written(format, half()).replace("0.5", share);
        assertThatThrownBy(() -> read(format, text))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(reason);
    }

    /** In files of other tools, {@code coreCount} is a measured number of cores, not a request for a part of one. */
    @Test
    void coreCountsOfForeignWfFormatAreRoundedUp() throws IOException {
        String text = written("wfformat", half()).replace("\"coreShare\"", "\"coreCount\"");
        assertThat(read("wfformat", text).resources(0)).isEqualTo(Resources.ONE_CORE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "wfformat|\"coreShare\"|\"nodes\" : 2, \"coreShare\"",
                "dax|<metadata key=\"sheaf.cores\"|<profile namespace=\"pegasus\" key=\"nodes\">2</profile><metadata key=\"sheaf.cores\"",
                "dagman|My.SheafCores|My.SheafNodes = 2%n    My.SheafCores"
            })
    void aTaskOfSeveralNodesNeedsWholeCores(String format, String from, String to) throws IOException {
        String text = written(format, half());
        assertThat(text).contains(from);
        assertThatThrownBy(() -> read(format, text.replace(from, to.replace("%n", "\n"))))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(format.equals("wfformat") ? "one core of one node" : "needs whole cores");
    }
}
