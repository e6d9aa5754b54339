package io.sheaf.runtime.run;

import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Outcome;
import io.sheaf.agent.protocol.Usage;
import io.sheaf.formats.wfformat.MeasuredTask;
import io.sheaf.formats.wfformat.WfFormat;
import io.sheaf.runtime.record.Result;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.Collection;

/**
 * A workflow with measured run times, memory, processor time and input and output as WfFormat 1.5: the record of a run, and
 * input for the next.
 */
public final class MeasuredWorkflow {
    private MeasuredWorkflow() {}

    /** The workflow; tasks that did not succeed keep their expected run times. */
    public static String text(Workflow workflow, Collection<Result> results) throws IOException {
        WorkflowBuilder builder = workflow.extend();
        MeasuredTask[] measured = new MeasuredTask[workflow.size()];
        Arrays.fill(measured, MeasuredTask.NONE);
        for (Result result : results) {
            Message.Ended said = result.said();
            if (said.outcome() == Outcome.SUCCEEDED) {
                int task = said.attempt().task();
                builder.time(task, Math.max(1, said.usage().runMillis()) * 1000)
                        .resources(task, result.needs(workflow.resources(task)));
                measured[task] = measured(said.usage());
            }
        }
        StringWriter text = new StringWriter();
        WfFormat.write(builder.build(), task -> measured[task], text);
        return text.toString();
    }

    private static MeasuredTask measured(Usage usage) {
        boolean known = usage.cpuMillis() != Usage.UNKNOWN && usage.runMillis() > 0;
        return new MeasuredTask(
                usage.peakMemoryBytes(),
                known ? 100.0 * usage.cpuMillis() / usage.runMillis() : MeasuredTask.UNKNOWN,
                usage.readBytes(),
                usage.writtenBytes());
    }
}
