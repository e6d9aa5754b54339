package io.sheaf.runtime.rerun;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The record of a task's last commit.
 *
 * @param by the attempt, if it is one of the run whose file holds this record; else null
 * @param command see {@link CommandDigest}
 * @param at the wall clock time of the commit; the latest record of a task counts
 * @param inputs files that it read and does not write itself, before the task began
 * @param outputs files that it wrote
 */
record CommittedTask(
        String task,
        String command,
        long at,
        @Nullable SuccessfulAttempt by,
        Map<String, FileMark> inputs,
        Map<String, FileMark> outputs) {
    /**
     * A successful attempt.
     *
     * @param token of its pilot job
     * @param node its first node in the pilot job
     * @param took its run time in milliseconds
     */
    record SuccessfulAttempt(int number, long token, int node, long took) {}

    CommittedTask {
        inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
        outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
    }

    /** The record as a later run keeps it. */
    CommittedTask ofEarlierRun() {
        return new CommittedTask(task, command, at, null, inputs, outputs);
    }
}
