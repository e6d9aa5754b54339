package io.sheaf.agent;

import io.sheaf.agent.protocol.FileMode;
import io.sheaf.agent.protocol.Output;
import io.sheaf.agent.protocol.TaskFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Where an attempt finds and leaves its files. */
interface Workspace {
    /** Makes everything ready; what an earlier attempt left is not there any more. */
    void prepare() throws IOException;

    /** Where the process runs. */
    Path folder();

    /** The declared outputs that are not there (yet). */
    List<String> absent();

    /** Moves all outputs to their final names and returns them; all exist. */
    List<Output> commit() throws IOException;

    /** Ends an attempt without success; returns where files remain for inspection, or an empty string. */
    String abandon();

    static Workspace of(TaskFiles files, String name) {
        return files.mode() == FileMode.SHARED ? new SharedFolder(files) : new IsolatedFolder(files, name);
    }
}
