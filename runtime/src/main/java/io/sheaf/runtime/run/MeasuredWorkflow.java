package io.sheaf.runtime.run;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Output;
import io.sheaf.agent.protocol.Usage;
import io.sheaf.formats.wfformat.MeasuredRun;
import io.sheaf.formats.wfformat.MeasuredRun.MeasuredTask;
import io.sheaf.formats.wfformat.WfFormat;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.io.Writer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A workflow with measured run times, memory, processor time and input and output as WfFormat 1.5: the record of a run, and
 * input for the next.
 */
public final class MeasuredWorkflow {
    private MeasuredWorkflow() {}

    /** Results of attempts, in order. */
    @FunctionalInterface
    public interface Results {
        void each(Consumer<AttemptResult> to) throws IOException;
    }

    /**
     * Writes the workflow; tasks that did not succeed keep their expected run times and have no execution. Files without a size get the measured one.
     *
     * @param begun the start of the run, in milliseconds
     * @param end the end of the run; {@link Workflow#UNKNOWN} for that of its last successful task
     * @param inputs the sizes of files that no task writes, as far as they are known
     * @param machine names the node of a result; empty if it is unknown
     * @param version of Sheaf; empty if unknown
     */
    public static void write(
            Workflow workflow,
            Results results,
            long begun,
            long end,
            Map<String, Long> inputs,
            Function<AttemptResult, String> machine,
            String version,
            Writer out)
            throws IOException {
        WorkflowBuilder builder = workflow.extend();
        MeasuredTask[] measured = new MeasuredTask[workflow.size()];
        Arrays.fill(measured, MeasuredTask.NONE);
        long[] last = {begun};
        results.each(result -> {
            Message.Ended ended = result.message();
            if (ended.outcome() == AttemptOutcome.SUCCEEDED) {
                int task = ended.attempt().task();
                builder.time(task, Math.max(1, ended.usage().runMillis()) * 1000)
                        .resources(task, result.needs(workflow.resources(task)));
                for (Output output : ended.outputs()) {
                    size(builder, output.name(), output.bytes());
                }
                String host = machine.apply(result);
                measured[task] = measured(ended.usage(), host.isEmpty() ? List.of() : List.of(host));
                last[0] = Math.max(last[0], ended.usage().endMillis());
            }
        });
        inputs.forEach((name, bytes) -> size(builder, name, bytes));
        long span = (end == Workflow.UNKNOWN ? last[0] : end) - begun;
        WfFormat.write(builder.build(), new MeasuredRun(begun, span, version, task -> measured[task]), out);
    }

    private static void size(WorkflowBuilder builder, String file, long bytes) {
        if (bytes >= 0) {
            // The number of the file is not needed here.
            var unused = builder.file(file, bytes);
        }
    }

    private static MeasuredTask measured(Usage usage, List<String> machines) {
        boolean known = usage.cpuMillis() != Usage.UNKNOWN && usage.runMillis() > 0;
        return new MeasuredTask(
                usage.peakMemoryBytes(),
                known ? 100.0 * usage.cpuMillis() / usage.runMillis() : MeasuredTask.UNKNOWN,
                usage.readBytes(),
                usage.writtenBytes(),
                usage.startMillis(),
                machines);
    }
}
