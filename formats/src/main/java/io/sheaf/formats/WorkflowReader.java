package io.sheaf.formats;

import io.sheaf.workflow.Workflow;
import java.io.IOException;

/** Reads a workflow. */
public interface WorkflowReader extends WorkflowFormat {
    /** Whether a task that reads a file depends on the task that writes it, by default. */
    default boolean fileEdgesByDefault() {
        return false;
    }

    /** Whether a text that begins like this is probably in this format. */
    boolean recognises(String head);

    /**
     * Reads a workflow from the source.
     *
     * @throws io.sheaf.text.InputException if it is not one, naming the file and the place in it
     */
    Workflow read(Source source, boolean fileEdges) throws IOException;
}
