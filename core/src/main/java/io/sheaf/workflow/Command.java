package io.sheaf.workflow;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a task runs: a program with its arguments, and variables added to its environment.
 *
 * <p>A script is the program {@code /bin/sh} with {@code -c} and the script.
 */
public record Command(List<String> argv, Map<String, String> environment) {
    private static final String SHELL = "/bin/sh";

    public Command {
        argv = List.copyOf(argv);
        // An unmodifiable view of an own copy: Map.copyOf would lose the order in which they were written.
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        if (argv.isEmpty()) {
            throw new IllegalArgumentException("a command needs a program");
        }
    }

    public static Command of(List<String> argv) {
        return new Command(argv, Map.of());
    }

    public static Command script(String script) {
        return of(List.of(SHELL, "-c", script));
    }

    public Command with(Map<String, String> variables) {
        return new Command(argv, variables);
    }

    public boolean isScript() {
        return argv.size() == 3 && argv.get(0).equals(SHELL) && argv.get(1).equals("-c");
    }

    /** The text of a script. */
    public String script() {
        if (!isScript()) {
            throw new IllegalStateException("not a script: " + argv);
        }
        return argv.get(2);
    }
}
