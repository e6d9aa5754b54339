package io.sheaf.agent;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.Message.Start;
import io.sheaf.agent.protocol.Needs;
import io.sheaf.agent.protocol.Work;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is executed for an attempt: its words, and its variables. No shell is put between where the program alone will do. */
final class TaskCommand {
    /** Marks every process of an attempt, however it was started: they are found by it when they must be killed. */
    static final String MARK = "SHEAF_MARK";

    private TaskCommand() {}

    static List<String> words(Start start, Affinity affinity, NodeResources.Share share) {
        Work work = start.work();
        List<String> words = new ArrayList<>(affinity.prefix(share.cores()));
        if (!work.setup().isEmpty()) {
            words.add("/bin/sh");
            words.add("-c");
            words.add("set -e\n" + String.join("\n", work.setup()) + "\nset +e\nexec \"$@\"");
            words.add("sh");
        }
        words.addAll(work.container());
        words.addAll(work.argv());
        // The JDK searches programs in the agent's PATH; a task with its own PATH needs that one.
        String path = work.environment().get("PATH");
        String program = words.get(0);
        if (path != null && program.indexOf('/') < 0) {
            words.set(0, find(program, path));
        }
        return words;
    }

    private static String find(String program, String path) {
        for (String folder : path.split(":")) {
            Path file = Path.of(folder, program);
            if (!folder.isEmpty() && Files.isExecutable(file) && Files.isRegularFile(file)) {
                return file.toString();
            }
        }
        return program;
    }

    /** Adds an attempt's variables to the agent's environment. The task's own settings win, except for its identity. */
    static void variables(
            Map<String, String> into, Start start, NodeResources.Share share, boolean hasGpus, String mark) {
        Needs needs = start.needs();
        String cores = String.valueOf(needs.cores());
        into.put("OMP_NUM_THREADS", cores);
        String gpus = String.join(",", share.gpus());
        if (hasGpus) {
            // Empty for a task without GPUs, so that it does not use those of other tasks.
            into.put("CUDA_VISIBLE_DEVICES", gpus);
            into.put("ROCR_VISIBLE_DEVICES", gpus);
        }
        into.putAll(start.work().environment());
        into.put("SHEAF_GPUS", gpus);
        into.put("SHEAF_CPUS", cores);
        into.put("SHEAF_TASK", start.work().name());
        into.put("SHEAF_ATTEMPT", String.valueOf(start.attempt().attempt()));
        into.put(MARK, mark);
        if (!needs.nodes().isEmpty()) {
            into.put("SHEAF_NODES", String.join(",", needs.nodes()));
        }
    }

    /** What the mark of an agent's attempts begins with. */
    static String markOf(String run, String agent, @Nullable AttemptId attempt) {
        return run + "/" + agent + "/" + (attempt == null ? "" : attempt);
    }

    /** The shortened command, for messages. */
    static String shown(List<String> words) {
        String line = words.stream().collect(Collectors.joining(" "));
        return line.length() <= 120 ? line : line.substring(0, 117) + "...";
    }
}
