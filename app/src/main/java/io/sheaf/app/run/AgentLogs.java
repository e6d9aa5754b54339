package io.sheaf.app.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The logs of a run's agents, for diagnosing failures. */
final class AgentLogs {
    private AgentLogs() {}

    /** The log of an agent of the last submitted pilot job; null if there is none. */
    static @Nullable Path newest(Path runFolder) {
        try (Stream<Path> agents = Files.list(runFolder.resolve("agents"))) {
            return agents.map(agent -> agent.resolve("agent.log"))
                    .filter(Files::exists)
                    .max(Comparator.comparingLong(AgentLogs::token))
                    .orElse(null);
        } catch (IOException e) {
            return null;
        }
    }

    /** The token in an agent's folder name, TOKEN.NODE. */
    private static long token(Path log) {
        String name = String.valueOf(log.getName(log.getNameCount() - 2));
        int dot = name.indexOf('.');
        try {
            return Long.parseLong(dot < 0 ? name : name.substring(0, dot));
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** The last line that is not part of a stack trace; empty if there is none. */
    static String lastLine(Path log) {
        try {
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("at ") && !line.startsWith("... "))
                    .reduce("", (before, line) -> line);
        } catch (IOException e) {
            return "";
        }
    }
}
