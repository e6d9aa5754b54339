package io.sheaf.gridengine;

import io.sheaf.runtime.batch.CommandRunner;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How Grid Engine's commands are run. */
final class GridEngineCommands {
    /** What is said when qmaster, or the way to it, does not answer. */
    private static final List<String> AWAY = List.of(
            "commlib error",
            "unable to contact qmaster",
            "unable to send message to qmaster",
            "got no response",
            "failed receiving gdi request",
            "Connection refused");

    private GridEngineCommands() {}

    /**
     * Commands in a folder, with these variables only.
     *
     * @param folder where they are; null if they are in the PATH of the environment
     * @param limitMillis how long each may take
     */
    static CommandRunner of(@Nullable Path folder, Map<String, String> environment, int limitMillis) {
        return new CommandRunner(folder, environment, Map.of(), limitMillis, AWAY);
    }
}
