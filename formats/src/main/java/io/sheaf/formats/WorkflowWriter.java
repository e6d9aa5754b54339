package io.sheaf.formats;

import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.Writer;

/** Writes a workflow. */
public interface WorkflowWriter extends WorkflowFormat {
    /** Writes all of it; the caller closes the writer. */
    void write(Workflow workflow, Writer out) throws IOException;
}
