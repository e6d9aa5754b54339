package io.sheaf.runtime.rerun;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a task found and left when it was last committed.
 *
 * @param command what it ran, see {@link CommandDigest}
 * @param at when it was committed, on the wall clock; of several records of a task the latest counts
 * @param inputs what it read and does not write itself, as it was before the task began
 * @param outputs what it wrote
 */
record CommittedTask(
        String task, String command, long at, Map<String, FileMark> inputs, Map<String, FileMark> outputs) {
    CommittedTask {
        inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
        outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
    }
}
