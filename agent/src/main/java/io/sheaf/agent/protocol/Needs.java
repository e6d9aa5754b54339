package io.sheaf.agent.protocol;

import java.util.List;

/**
 * What a task may use.
 *
 * @param cores cores of this node
 * @param memoryBytes memory of its processes together, 0 for no bound
 * @param gpus graphics processors of this node
 * @param limitMillis how long it may run, 0 for no bound
 * @param nodes host names of all nodes of a task that spans several, this one first; empty otherwise
 */
public record Needs(int cores, long memoryBytes, int gpus, long limitMillis, List<String> nodes) {
    public Needs {
        nodes = List.copyOf(nodes);
        if (cores < 1 || memoryBytes < 0 || gpus < 0 || limitMillis < 0) {
            throw new IllegalArgumentException("a task cannot need " + cores + " cores, " + memoryBytes + " bytes, "
                    + gpus + " gpus, " + limitMillis + " ms");
        }
    }

    public static Needs cores(int cores) {
        return new Needs(cores, 0, 0, 0, List.of());
    }
}
