package io.sheaf.agent.protocol;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The program of a task.
 *
 * @param name the task's name, which it finds in {@code SHEAF_TASK}
 * @param argv the program and its arguments
 * @param setup shell lines that run before it; the first that fails ends the attempt
 * @param container an image; or several words put before the program, such as {@code apptainer exec IMAGE}; empty without a container
 * @param environment variables added to the agent's own
 */
public record Work(
        String name, List<String> argv, List<String> setup, List<String> container, Map<String, String> environment) {
    public Work {
        argv = List.copyOf(argv);
        setup = List.copyOf(setup);
        container = List.copyOf(container);
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        if (argv.isEmpty()) {
            throw new IllegalArgumentException("task '" + name + "' has no program");
        }
    }

    /** A program without setup, container and variables. */
    public static Work of(String name, List<String> argv) {
        return new Work(name, argv, List.of(), List.of(), Map.of());
    }
}
