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

/** The command line and the environment of an attempt; without a shell if the program needs none. */
final class TaskCommand {
    /** Marks every process of an attempt, so that it can be found and killed. */
    static final String MARK = "SHEAF_MARK";

    /** The prefix of the last line of a failed setup; its status and its line follow. */
    static final String SETUP_FAILED = "sheaf: setup failed with status ";

    /**
     * Makes what a login shell has available to setup lines: {@code module} of the system's profile, and {@code conda activate}. PATH is
     * kept in front of the profile's. A setup line that fails ends the attempt; commands that fail inside a script that it sources do not.
     */
    private static final String BEFORE_SETUP = """
            [ -r /etc/profile ] && . /etc/profile > /dev/null 2>&1
            PATH=$1:$PATH
            shift
            conda_sh=$(command -v "${CONDA_EXE:-conda}" 2> /dev/null)
            conda_sh=${conda_sh%/*/*}/etc/profile.d/conda.sh
            [ -r "$conda_sh" ] && . "$conda_sh"
            unset conda_sh
            trap 's=$?; if [ ${#BASH_SOURCE[@]} -eq 0 ]; then
              echo "sheaf: setup failed with status $s: $BASH_COMMAND" >&2; exit $s; fi' ERR
            """;

    private static final String AFTER_SETUP = "\ntrap - ERR\nset +eu\nexec \"$@\"";

    private TaskCommand() {}

    /** The words to execute; a script with an interpreter line has been written to the file. */
    static List<String> words(Start start, Affinity affinity, NodeResources.Share share, Path folder, Path script) {
        Work work = start.work();
        List<String> words = new ArrayList<>(affinity.prefix(share.cores()));
        String path = work.environment().get("PATH");
        if (!work.setup().isEmpty()) {
            words.addAll(List.of("bash", "-c", BEFORE_SETUP + String.join("\n", work.setup()) + AFTER_SETUP, "setup"));
            words.add(path != null ? path : agentPath());
        }
        // One word is an image, several are put before the program.
        words.addAll(
                work.container().size() == 1
                        ? Containers.words(work.container().get(0), start.files(), folder, script)
                        : work.container());
        String text = interpreted(work);
        if (text == null) {
            words.addAll(ForkServers.plain(work.argv()));
        } else {
            words.addAll(interpreter(text));
            words.add(script.toString());
        }
        // The JDK searches programs in the agent's PATH; a task with its own PATH needs that one.
        String program = words.get(0);
        if (program.indexOf('/') < 0) {
            words.set(0, find(program, path != null ? path : agentPath()));
        }
        return words;
    }

    /** The script of a task that names its interpreter in its first line, or null. */
    static @Nullable String interpreted(Work work) {
        List<String> argv = work.argv();
        String last = argv.get(argv.size() - 1);
        return argv.size() >= 3 && argv.get(argv.size() - 2).equals("-c") && last.startsWith("#!") ? last : null;
    }

    /** The interpreter and its argument; like the kernel, it treats all after the first blanks as one argument. */
    private static List<String> interpreter(String script) {
        int end = script.indexOf('\n');
        String line = (end < 0 ? script : script.substring(0, end)).substring(2).strip();
        return List.of(line.split("\\s+", 2));
    }

    private static String agentPath() {
        return System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
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

    /** Adds an attempt's variables to the agent's environment. The task's own settings have precedence, except for its identity. */
    static void variables(
            Map<String, String> target, Start start, NodeResources.Share share, boolean hasGpus, String mark) {
        Needs needs = start.needs();
        String cores = String.valueOf(needs.cores());
        target.put("OMP_NUM_THREADS", cores);
        String gpus = String.join(",", share.gpus());
        if (hasGpus) {
            // Empty for a task without GPUs, so that it does not use those of other tasks.
            target.put("CUDA_VISIBLE_DEVICES", gpus);
            target.put("ROCR_VISIBLE_DEVICES", gpus);
        }
        target.putAll(start.work().environment());
        target.put("SHEAF_GPUS", gpus);
        target.put("SHEAF_CPUS", cores);
        target.put("SHEAF_TASK", start.work().name());
        target.put("SHEAF_ATTEMPT", String.valueOf(start.attempt().attempt()));
        target.put(MARK, mark);
        if (!needs.nodes().isEmpty()) {
            target.put("SHEAF_NODES", String.join(",", needs.nodes()));
        }
    }

    /** The prefix of the marks of an agent's attempts. */
    static String markOf(String run, String agent, @Nullable AttemptId attempt) {
        return run + "/" + agent + "/" + (attempt == null ? "" : attempt);
    }

    /** The shortened command, for messages. */
    static String shown(List<String> words) {
        String line = words.stream().collect(Collectors.joining(" "));
        return line.length() <= 120 ? line : line.substring(0, 117) + "...";
    }
}
