package io.sheaf.oar;

import io.sheaf.runtime.batch.CommandRunner;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How OAR's commands are run. They ask its database themselves, and wait for it as long as it is away: the time limit of a command is what ends that.
 *
 * <p>Of the job that this process itself may run in they see nothing.
 */
final class OarCommands {
    /** What a command says when the server, Almighty, does not answer. The job may be in the database all the same. */
    private static final List<String> AWAY = List.of(
            "Cannot connect to executor",
            "Could not connect to the socket",
            "could not connect to server",
            "Connection refused",
            "Cannot connect to database",
            "Failed to connect");

    private OarCommands() {}

    /**
     * Commands in a folder, with these variables only.
     *
     * @param folder where they are; null if they are in the PATH of the environment
     * @param limitMillis how long each may take
     */
    static CommandRunner of(@Nullable Path folder, Map<String, String> environment, int limitMillis) {
        Map<String, String> own = new HashMap<>(environment);
        own.keySet().removeIf(variable -> variable.startsWith("OAR_"));
        return new CommandRunner(folder, own, Map.of(), limitMillis, AWAY);
    }
}
