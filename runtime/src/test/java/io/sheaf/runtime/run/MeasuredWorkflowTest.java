package io.sheaf.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Usage;
import io.sheaf.formats.Source;
import io.sheaf.formats.registry.Formats;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The record of a run has measured values in addition to requested ones. */
class MeasuredWorkflowTest {
    private static final long REQUESTED = 300L << 20;
    private static final long PEAK = 123_456_789;

    private static AttemptResult result(int task, Usage usage) {
        return new AttemptResult(
                1,
                0,
                new Message.Ended(
                        new AttemptId(task, 1), AttemptOutcome.SUCCEEDED, 0, "", usage, List.of(), List.of()));
    }

    /** 3 s of processor time in 4 s are 75 %. */
    @Test
    void theRecordHasThePeakMemoryAndKeepsTheRequest() throws IOException {
        WorkflowBuilder builder = new WorkflowBuilder("pair");
        int limited = builder.task("limited");
        int open = builder.task("open");
        int brief = builder.task("brief");
        builder.resources(limited, new Resources(1, REQUESTED, 0, 1));
        builder.resources(brief, new Resources(1, REQUESTED, 0, 1));
        builder.input(limited, builder.file("in", Workflow.UNKNOWN));
        StringWriter written = new StringWriter();
        MeasuredWorkflow.write(
                builder.build(),
                List.of(
                        result(limited, new Usage(0, 4_000, PEAK, 3_000, 1_000_000, 5)),
                        result(open, new Usage(0, 4_000, PEAK, 3_000)),
                        result(brief, new Usage(0, 10, Usage.UNKNOWN, Usage.UNKNOWN)))::forEach,
                -2_000,
                Workflow.UNKNOWN,
                Map.of("in", 77L),
                result -> result.message().attempt().task() == limited ? "node7" : "",
                "1.2",
                written);
        String text = written.toString();
        assertThat(text)
                .contains("\"memoryInBytes\": " + PEAK)
                .contains("\"avgCPU\": 75.0", "\"readBytes\": 1000000", "\"writtenBytes\": 5");
        Workflow readBack =
                Formats.reader("wfformat").read(Source.of("record.json", text.getBytes(StandardCharsets.UTF_8)), false);
        assertThat(text)
                .as("from 2 s before the first task to the end of the last")
                .contains("\"makespanInSeconds\": 6,", "\"executedAt\": \"1969-12-31T23:59:58Z\"")
                .contains("\"executedAt\": \"1970-01-01T00:00:00Z\"", "\"version\": \"1.2\"")
                .containsOnlyOnce("\"nodeName\": \"node7\"");
        assertThat(readBack.fileSize(0)).isEqualTo(77);
        assertThat(readBack.timeMicros(limited)).isEqualTo(4_000_000);
        assertThat(readBack.resources(limited).memory()).isEqualTo(REQUESTED);
        assertThat(readBack.resources(open).memory())
                .as("nothing was requested")
                .isZero();
        assertThat(readBack.resources(brief).memory()).isEqualTo(REQUESTED);
    }

    /** A failed task and one that did not run have no measured time; the makespan is that of the whole run. */
    @Test
    void tasksThatDidNotSucceedHaveNoExecution() throws IOException {
        WorkflowBuilder builder = new WorkflowBuilder("part");
        int done = builder.task("done");
        int notRun = builder.task("never");
        builder.time(done, 60_000_000).time(notRun, 60_000_000);
        StringWriter written = new StringWriter();
        MeasuredWorkflow.write(
                builder.build(),
                List.of(result(done, new Usage(0, 4_000, PEAK, 3_000)))::forEach,
                0,
                9_000,
                Map.of(),
                result -> "",
                "",
                written);
        String text = written.toString();
        assertThat(text.substring(text.indexOf("\"execution\"")))
                .contains("\"makespanInSeconds\": 9,", "\"id\": \"done\"")
                .doesNotContain("\"never\"");
        Workflow readBack =
                Formats.reader("wfformat").read(Source.of("record.json", text.getBytes(StandardCharsets.UTF_8)), false);
        assertThat(readBack.timeMicros(done)).isEqualTo(4_000_000);
        assertThat(readBack.timeMicros(notRun)).as("the expected time").isEqualTo(60_000_000);
    }
}
