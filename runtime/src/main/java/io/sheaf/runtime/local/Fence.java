package io.sheaf.runtime.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * Finds and kills the processes of a run on this machine by the marks in their environment, as {@code /proc} shows it.
 *
 * <p>Everything that is started for a placeholder carries the run and the placeholder, and what a task starts inherits it. A process that
 * clears its environment escapes; its agent, as long as it lives, finds it by its parents.
 */
final class Fence {
    private static final Path PROC = Path.of("/proc");
    private static final String RUN = "SHEAF_RUN=";
    private static final String PLACEHOLDER = "SHEAF_PLACEHOLDER=";
    private static final String TASK = "SHEAF_MARK=";
    private static final String AGENT = "io.sheaf.agent.AgentMain";

    private final String run;

    Fence(String run) {
        this.run = run;
    }

    /** An agent of a placeholder that is there. */
    record FoundAgent(int node, ProcessHandle process) {}

    /** All processes of a placeholder, agents and tasks. */
    List<ProcessHandle> of(long token) {
        return find(environment -> environment.contains(PLACEHOLDER + token));
    }

    /** What an agent started. */
    List<ProcessHandle> tasksOf(long token, int node) {
        String mark = token + "." + node;
        return find(environment -> environment.contains(PLACEHOLDER + token)
                && environment.stream().anyMatch(v -> v.startsWith(TASK) && words(v).contains(mark)));
    }

    private static List<String> words(String variable) {
        return Arrays.asList(variable.substring(TASK.length()).split("[^0-9a-zA-Z.-]+"));
    }

    /** The agents of a placeholder. */
    List<FoundAgent> agentsOf(long token) {
        List<FoundAgent> agents = new ArrayList<>();
        for (ProcessHandle process : of(token)) {
            List<String> line = fields(PROC.resolve(process.pid() + "/cmdline"));
            int main = line.indexOf(AGENT);
            if (main >= 0 && line.size() == main + 4) {
                agents.add(new FoundAgent(Integer.parseInt(line.get(main + 3)), process));
            }
        }
        return agents;
    }

    /** Kills whatever still carries the run's mark. */
    void killAll() {
        find(environment -> true).forEach(ProcessHandle::destroyForcibly);
    }

    private List<ProcessHandle> find(Predicate<List<String>> wanted) {
        List<ProcessHandle> found = new ArrayList<>();
        long self = ProcessHandle.current().pid();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path each : all) {
                long pid = Long.parseLong(each.getFileName().toString());
                // Taken before its environment is read: a number that is given to another process later is not mistaken
                // for it.
                ProcessHandle process =
                        pid == self ? null : ProcessHandle.of(pid).orElse(null);
                if (process != null) {
                    List<String> environment = fields(each.resolve("environ"));
                    if (environment.contains(RUN + run) && wanted.test(environment) && process.isAlive()) {
                        found.add(process);
                    }
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot look for processes in " + PROC + ": " + e.getMessage(), e);
        }
        return found;
    }

    /** What lies in a file of a process; nothing if it is not ours or gone. */
    private static List<String> fields(Path file) {
        try {
            String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
            return Arrays.asList(text.split("\u0000"));
        } catch (IOException e) {
            return List.of();
        }
    }
}
