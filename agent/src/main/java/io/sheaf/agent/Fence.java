package io.sheaf.agent;

import io.sheaf.agent.protocol.AgentId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * Finds the processes of a run on this machine by the marks in their environment, read from {@code /proc}, so that they can be killed
 * without an agent.
 *
 * <p>Each process of a pilot job has the run and the pilot job in its environment, which its children inherit. A process that clears its
 * environment is not found here; a running agent finds it by its parents. Only processes of the same user are found.
 */
public record Fence(String run) {
    private static final Path PROC = Path.of("/proc");
    private static final int READS = 5;
    /** Time for a waiting process to record the exit of its task. */
    private static final long RECORD_NANOS = 500_000_000L;

    private static final long POLL_NANOS = 2_000_000L;

    /** A live agent of a pilot job. */
    public record FoundAgent(int node, ProcessHandle process) {}

    /** A process of this run and the marks in its environment. */
    private record MarkedProcess(ProcessHandle process, List<String> environment, List<String> line) {
        /** The node whose agent this is, or whose agent it was when it forked; −1 if it is something else. */
        int agentOf() {
            int main = line.indexOf(AgentMain.class.getName());
            return main >= 0 && line.size() == main + 4 ? Integer.parseInt(line.get(main + 3)) : -1;
        }

        /** Whether it waits for a task and records its exit. */
        boolean isWaiting() {
            return ExitRecords.isWaiting(line);
        }

        /** Whether a task carries it, whose mark begins with a prefix; agents have no mark. */
        boolean isMarked(String prefix) {
            return environment.stream().anyMatch(variable -> variable.startsWith(TaskCommand.MARK + "=" + prefix));
        }
    }

    /** All processes of the run. */
    public List<ProcessHandle> all() {
        return find(List.of(runVariable()), found -> true).stream()
                .map(MarkedProcess::process)
                .toList();
    }

    /** All processes of a pilot job, agents and tasks. */
    public List<ProcessHandle> of(long token) {
        return find(token, found -> true).stream().map(MarkedProcess::process).toList();
    }

    /** The agents of a pilot job. A process that an agent has just forked looks like the agent for a moment. */
    public List<FoundAgent> agentsOf(long token) {
        return find(token, found -> !found.isMarked("") && found.agentOf() >= 0 && !isChildOfAgent(found.process))
                .stream()
                .map(found -> new FoundAgent(found.agentOf(), found.process))
                .toList();
    }

    /**
     * Kills what an agent that has ended left running; returns whether nothing was. A process that waits for a task may record an exit
     * that is past; it ends by itself when its task is killed.
     */
    public boolean isClear(AgentId agent) {
        String mark = TaskCommand.markOf(run, agent.toString(), null);
        List<MarkedProcess> left =
                find(agent.token(), found -> found.isMarked("") ? found.isMarked(mark) : isUnborn(found, agent));
        left.stream().filter(found -> !found.isWaiting()).forEach(found -> found.process.destroyForcibly());
        long until = System.nanoTime() + RECORD_NANOS;
        left.stream().filter(MarkedProcess::isWaiting).forEach(found -> {
            while (found.process.isAlive() && System.nanoTime() - until < 0) {
                LockSupport.parkNanos(POLL_NANOS);
            }
            found.process.destroyForcibly();
        });
        return left.isEmpty();
    }

    /**
     * Whether a process without a task's mark was left by an agent. Between fork and exec it looks like the agent or, if Java uses a spawn
     * helper, like an orphan of the pilot job.
     */
    private static boolean isUnborn(MarkedProcess found, AgentId agent) {
        int node = found.agentOf();
        return node >= 0 ? node == agent.node() : !isChildOfAgent(found.process);
    }

    private static boolean isChildOfAgent(ProcessHandle process) {
        return process.parent()
                .map(parent -> fields(PROC.resolve(parent.pid() + "/cmdline")).contains(AgentMain.class.getName()))
                .orElse(false);
    }

    /** Kills what is left; whether nothing was. */
    public static boolean isClear(List<ProcessHandle> left) {
        left.forEach(ProcessHandle::destroyForcibly);
        return left.isEmpty();
    }

    private String runVariable() {
        return "SHEAF_RUN=" + run;
    }

    private List<MarkedProcess> find(long token, Predicate<MarkedProcess> filter) {
        return find(List.of(runVariable(), "SHEAF_PLACEHOLDER=" + token), filter);
    }

    private static List<MarkedProcess> find(List<String> variables, Predicate<MarkedProcess> filter) {
        List<MarkedProcess> all = new ArrayList<>();
        long self = ProcessHandle.current().pid();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path each : folders) {
                long pid = Long.parseLong(each.getFileName().toString());
                // Read before the environment, so that a reused process id is not mistaken for this process.
                ProcessHandle process =
                        pid == self ? null : ProcessHandle.of(pid).orElse(null);
                if (process != null) {
                    List<String> environment = environment(each);
                    if (environment.containsAll(variables) && process.isAlive()) {
                        all.add(new MarkedProcess(process, environment, fields(each.resolve("cmdline"))));
                    }
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot read the processes in " + PROC + ": " + e.getMessage(), e);
        }
        all.removeIf(found -> !filter.test(found));
        return all;
    }

    /** The environment of a process. During exec it is empty for a moment; then it is read again. */
    private static List<String> environment(Path process) {
        List<String> environment = fields(process.resolve("environ"));
        for (int attempt = 1;
                attempt < READS && environment.isEmpty() && Files.exists(process.resolve("exe"));
                attempt++) {
            environment = fields(process.resolve("environ"));
        }
        return environment;
    }

    /** Content of a file of a process; empty if the process has ended or belongs to another user. */
    private static List<String> fields(Path file) {
        try {
            String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
            return text.isEmpty() ? List.of() : Arrays.asList(text.split("\u0000"));
        } catch (IOException e) {
            return List.of();
        }
    }
}
