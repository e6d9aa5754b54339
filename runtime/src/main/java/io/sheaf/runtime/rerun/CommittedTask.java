package io.sheaf.runtime.rerun;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The record of a task's last commit.
 *
 * @param command see {@link CommandDigest}
 * @param at the wall clock time of the commit; the latest record of a task counts
 * @param inputs files that it read and does not write itself, before the task began
 * @param outputs files that it wrote
 */
record CommittedTask(
        String task, String command, long at, Map<String, FileMark> inputs, Map<String, FileMark> outputs) {
    CommittedTask {
        inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
        outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
    }
}
