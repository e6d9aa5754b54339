package io.sheaf.runtime.run;

import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Outcome;
import io.sheaf.agent.protocol.Output;
import io.sheaf.agent.protocol.Usage;
import io.sheaf.formats.wfformat.MeasuredRun;
import io.sheaf.formats.wfformat.MeasuredTask;
import io.sheaf.formats.wfformat.WfFormat;
import io.sheaf.runtime.record.Result;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A workflow with measured run times, memory, processor time and input and output as WfFormat 1.5: the record of a run, and
 * input for the next.
 */
public final class MeasuredWorkflow {
    private MeasuredWorkflow() {}

    /**
     * The workflow; tasks that did not succeed keep their expected run times. Files without a size get the measured one.
     *
     * @param begun the start of the run, in milliseconds
     * @param inputs the sizes of files that no task writes, as far as they are known
     * @param machine names the node of a result; empty if it is unknown
     * @param version of Sheaf; empty if unknown
     */
    public static String text(
            Workflow workflow,
            Collection<Result> results,
            long begun,
            Map<String, Long> inputs,
            Function<Result, String> machine,
            String version)
            throws IOException {
        WorkflowBuilder builder = workflow.extend();
        MeasuredTask[] measured = new MeasuredTask[workflow.size()];
        Arrays.fill(measured, MeasuredTask.NONE);
        long end = begun;
        for (Result result : results) {
            Message.Ended said = result.said();
            if (said.outcome() == Outcome.SUCCEEDED) {
                int task = said.attempt().task();
                builder.time(task, Math.max(1, said.usage().runMillis()) * 1000)
                        .resources(task, result.needs(workflow.resources(task)));
                for (Output output : said.outputs()) {
                    size(builder, output.name(), output.bytes());
                }
                String on = machine.apply(result);
                measured[task] = measured(said.usage(), on.isEmpty() ? List.of() : List.of(on));
                end = Math.max(end, said.usage().endMillis());
            }
        }
        inputs.forEach((name, bytes) -> size(builder, name, bytes));
        StringWriter text = new StringWriter();
        WfFormat.write(builder.build(), new MeasuredRun(begun, end - begun, version, task -> measured[task]), text);
        return text.toString();
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
