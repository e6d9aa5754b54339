package io.sheaf.runtime.batch;

import java.util.List;
import java.util.Map;

/**
 * How the commands of a batch system are run: with an environment, behind a prefix such as {@code ssh alpha}, for a user.
 *
 * @param prefix words before each command; none for commands of this machine. A command is one word, quoted for a shell, behind each {@code ssh}; otherwise its words
 * follow the prefix
 * @param user the owner of the jobs
 */
public record Reach(Map<String, String> environment, List<String> prefix, String user) {
    public Reach {
        environment = Map.copyOf(environment);
        prefix = List.copyOf(prefix);
    }

    /** Commands of this machine, for the user of this process. */
    public static Reach here(Map<String, String> environment) {
        return new Reach(environment, List.of(), System.getProperty("user.name"));
    }
}
