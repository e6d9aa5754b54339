package io.sheaf.formats.wfformat;

import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowReader;
import io.sheaf.formats.WorkflowWriter;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.Writer;

/** WfCommons WfFormat, whose files list parents and children in full: reads versions 1.0 to 1.5, writes 1.5. See docs/reference/formats/wfformat.md. */
public final class WfFormat implements WorkflowReader, WorkflowWriter {
    @Override
    public Label label() {
        return new Label("wfformat", "WfCommons WfFormat 1.0 to 1.5 (JSON)", ".json");
    }

    @Override
    public boolean recognises(String head) {
        return head.stripLeading().startsWith("{");
    }

    @Override
    public Workflow read(Source source, boolean fileEdges) {
        return source.read(in -> {
            Contents contents = JsonCursor.readObject(in, DocumentReader::read);
            return Assembly.assemble(contents, source.stem(), fileEdges);
        });
    }

    @Override
    public void write(Workflow workflow, Writer out) throws IOException {
        new DocumentWriter(workflow, null, out).write();
    }

    /**
     * Writes an executed workflow. Run times are those of the workflow. The memory of an execution is the measured peak; the
     * requested memory is in Sheaf's object of the task, where {@link #read} finds it.
     */
    public static void write(Workflow workflow, MeasuredRun measured, Writer out) throws IOException {
        new DocumentWriter(workflow, measured, out).write();
    }
}
