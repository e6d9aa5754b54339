package io.sheaf.agent;

import io.sheaf.agent.link.RunFolder;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;

/**
 * Settings of an agent, in the file {@code start} in its folder.
 *
 * @param run name of the run, in the environment of its processes
 * @param cores cores for tasks
 * @param memoryBytes memory of the node, 0 if unknown
 * @param gpus ids of the GPUs for tasks
 * @param walltimeMillis time from the agent's start to the end of its pilot job; 0 for no limit
 * @param graceMillis time between the warning of a task and its end
 * @param affinity whether to bind tasks to cores; only if the agent has the node to itself
 * @param notice a shell command that prints how many seconds of grace are left after a signal, nothing if none; empty if the batch system gives none
 */
public record AgentSettings(
        String run,
        int cores,
        long memoryBytes,
        List<String> gpus,
        long walltimeMillis,
        int graceMillis,
        boolean affinity,
        String notice) {
    public static final int GRACE_MILLIS = 10_000;

    /** Time for killing and reporting between the end of the grace and the walltime. */
    static final int RESERVE_MILLIS = 3_000;

    private static final String FILE = "start";

    public AgentSettings {
        gpus = List.copyOf(gpus);
        if (cores < 1 || walltimeMillis < 0 || graceMillis < 0) {
            throw new IllegalArgumentException("an agent cannot have " + cores + " cores for " + walltimeMillis
                    + " ms with a grace of " + graceMillis + " ms");
        }
    }

    /** The reserve: how long before the end of the walltime agents warn their tasks, which then have this grace to end. */
    public static int reserveMillis(int graceMillis) {
        return graceMillis + RESERVE_MILLIS;
    }

    /** Cores only, without an end. */
    public static AgentSettings cores(String run, int cores) {
        return new AgentSettings(run, cores, 0, List.of(), 0, GRACE_MILLIS, false, "");
    }

    public void write(Path agentFolder) throws IOException {
        Files.createDirectories(agentFolder);
        RunFolder.replace(
                agentFolder.resolve(FILE),
                "run=" + run + "\ncores=" + cores + "\nmemory=" + memoryBytes + "\ngpus=" + String.join(",", gpus)
                        + "\nwalltime=" + walltimeMillis + "\ngrace=" + graceMillis + "\naffinity=" + affinity
                        + "\nnotice=" + notice + "\n");
    }

    public static AgentSettings read(Path agentFolder) throws IOException {
        Path file = agentFolder.resolve(FILE);
        Properties values = new Properties();
        try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            values.load(in);
            String gpus = values.getProperty("gpus", "");
            return new AgentSettings(
                    values.getProperty("run", ""),
                    Integer.parseInt(values.getProperty("cores", "1")),
                    Long.parseLong(values.getProperty("memory", "0")),
                    gpus.isEmpty() ? List.of() : Arrays.asList(gpus.split(",")),
                    Long.parseLong(values.getProperty("walltime", "0")),
                    Integer.parseInt(values.getProperty("grace", String.valueOf(GRACE_MILLIS))),
                    Boolean.parseBoolean(values.getProperty("affinity", "false")),
                    values.getProperty("notice", ""));
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }
}
