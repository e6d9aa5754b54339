package io.sheaf.runtime.run;

import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Outcome;
import io.sheaf.formats.registry.Formats;
import io.sheaf.runtime.record.Result;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Collection;

/** A workflow with measured run times as WfFormat 1.5: the record of a run, and input for the next. */
public final class MeasuredWorkflow {
    private MeasuredWorkflow() {}

    /** The workflow; tasks that did not succeed keep their expected run times. */
    public static String text(Workflow workflow, Collection<Result> results) throws IOException {
        WorkflowBuilder builder = workflow.extend();
        for (Result result : results) {
            Message.Ended said = result.said();
            if (said.outcome() == Outcome.SUCCEEDED) {
                builder.time(said.attempt().task(), Math.max(1, said.usage().runMillis()) * 1000);
            }
        }
        StringWriter text = new StringWriter();
        Formats.writer("wfformat").write(builder.build(), text);
        return text.toString();
    }
}
