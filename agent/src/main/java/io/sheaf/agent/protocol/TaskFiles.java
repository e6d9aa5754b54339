package io.sheaf.agent.protocol;

import java.util.List;

/**
 * The files of a task. Names are absolute or relative to the folder.
 *
 * @param folder the workflow's folder
 * @param out file of standard output
 * @param err file of standard error
 * @param patienceMillis how long to wait for outputs after the task has ended, because file systems lag
 */
public record TaskFiles(
        String folder,
        FileMode mode,
        List<String> inputs,
        List<String> outputs,
        String out,
        String err,
        int patienceMillis) {
    /** Default wait for outputs; on a file system of the node itself there is none. */
    public static final int PATIENCE_MILLIS = 60_000;

    public TaskFiles {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        if (patienceMillis < 0) {
            throw new IllegalArgumentException("patience of " + patienceMillis + " ms");
        }
    }

    /** A task without declared files. */
    public static TaskFiles none(String folder, String out, String err) {
        return new TaskFiles(folder, FileMode.SHARED, List.of(), List.of(), out, err, PATIENCE_MILLIS);
    }
}
