package io.sheaf.agent;

import io.sheaf.agent.protocol.Output;
import io.sheaf.agent.protocol.TaskFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The files of an attempt: its working folder and its outputs. */
interface Workspace {
    /** Prepares the folder and removes the files of an earlier attempt. */
    void prepare() throws IOException;

    /** The working folder of the process. */
    Path folder();

    /** The declared outputs that do not exist (yet). */
    List<String> absent();

    /** Moves all outputs to their final names and returns them; all exist. */
    List<Output> commit() throws IOException;

    /** Ends an attempt without success; returns where files remain for inspection, or an empty string. */
    String abandon();

    static Workspace of(TaskFiles files, String name) {
        return files.isolated() ? new IsolatedFolder(files, name) : new SharedFolder(files);
    }
}
