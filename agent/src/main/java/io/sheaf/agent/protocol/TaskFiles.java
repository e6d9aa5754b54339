package io.sheaf.agent.protocol;

import java.util.List;

/**
 * The files of a task. Names are absolute or relative to the folder.
 *
 * @param folder the workflow's folder
 * @param isolated whether the attempt has a folder of its own, from which its outputs are moved when it has succeeded
 * @param out file of standard output
 * @param err file of standard error
 * @param outputTimeoutMillis how long to wait for outputs after the task has ended, because file systems lag
 */
public record TaskFiles(
        String folder,
        boolean isolated,
        List<String> inputs,
        List<String> outputs,
        String out,
        String err,
        int outputTimeoutMillis) {
    /** Default wait for outputs; on a file system of the node itself there is none. */
    public static final int OUTPUT_TIMEOUT_MILLIS = 60_000;

    public TaskFiles {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        if (outputTimeoutMillis < 0) {
            throw new IllegalArgumentException("patience of " + outputTimeoutMillis + " ms");
        }
    }

    /** A task without declared files. */
    public static TaskFiles none(String folder, String out, String err) {
        return new TaskFiles(folder, false, List.of(), List.of(), out, err, OUTPUT_TIMEOUT_MILLIS);
    }
}
