package io.sheaf.agent;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Kills what runs on this machine for a placeholder, or for a whole run: agents and tasks, whether or not an agent is left to do it.
 *
 * <p>They are known by {@code SHEAF_RUN} and {@code SHEAF_PLACEHOLDER} in their environment. Only processes of the same user are seen.
 */
public final class Fence {
    private static final int ROUNDS = 50;
    private static final int PAUSE_MILLIS = 20;

    private Fence() {}

    /** Kills all processes of a placeholder; false if some cannot be killed. */
    public static boolean placeholder(String run, long token) throws InterruptedException {
        return kill(List.of("SHEAF_RUN=" + run, "SHEAF_PLACEHOLDER=" + token));
    }

    /** Kills all processes of a run but this one; false if some cannot be killed. */
    public static boolean run(String run) throws InterruptedException {
        return kill(List.of("SHEAF_RUN=" + run));
    }

    /** Until none is found: those that are killed may have started others meanwhile. */
    private static boolean kill(List<String> variables) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            List<Integer> found = find(variables);
            if (found.isEmpty()) {
                return true;
            }
            Processes.signal(found, true);
            Thread.sleep(PAUSE_MILLIS);
        }
        return false;
    }

    private static List<Integer> find(List<String> variables) {
        List<Integer> found = new ArrayList<>();
        long self = ProcessHandle.current().pid();
        String[] names = new File("/proc").list();
        for (String name : names == null ? new String[0] : names) {
            if (Character.isDigit(name.charAt(0)) && Long.parseLong(name) != self && has(name, variables)) {
                found.add(Integer.parseInt(name));
            }
        }
        return found;
    }

    private static boolean has(String pid, List<String> variables) {
        try {
            byte[] environment = Files.readAllBytes(Path.of("/proc", pid, "environ"));
            return Arrays.asList(new String(environment, StandardCharsets.UTF_8).split("\0"))
                    .containsAll(variables);
        } catch (IOException e) {
            // Gone, or somebody else's.
            return false;
        }
    }
}
