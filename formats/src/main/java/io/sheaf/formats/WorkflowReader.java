package io.sheaf.formats;

import io.sheaf.workflow.Workflow;
import java.io.IOException;

/** Reads a workflow. */
public interface WorkflowReader extends WorkflowFormat {
    /** Whether a task that reads a file comes after the one that writes it, unless the user says otherwise. */
    boolean fileEdgesByDefault();

    /**
     * Reads a workflow from the source.
     *
     * @throws io.sheaf.text.InputException if it is not one, naming the file and the place in it
     */
    Workflow read(Source source, boolean fileEdges) throws IOException;
}
