package io.sheaf.app.workflow;

import io.sheaf.app.cli.OutputFile;
import io.sheaf.formats.WorkflowWriter;
import io.sheaf.formats.registry.Formats;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** Writes workflows to files. */
final class WorkflowFiles {
    private WorkflowFiles() {}

    /** Writes a file atomically; the suffix {@code .gz} compresses it. */
    static void write(Workflow workflow, String name, @Nullable String format) {
        WorkflowWriter writer = format == null ? Formats.writerFor(name) : Formats.writer(format);
        OutputFile.write(name, text -> writer.write(workflow, text));
    }

    /** Prints to a writer that stays open. */
    static void print(Workflow workflow, WorkflowWriter format, PrintWriter out) {
        try {
            format.write(workflow, out);
            out.flush();
        } catch (IOException e) {
            throw new InputException("cannot be written: " + OutputFile.reason(e));
        }
    }
}
