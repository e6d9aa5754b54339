package io.sheaf.app.cli;

import io.sheaf.app.config.Configuration;
import io.sheaf.runtime.learnt.StateFolder;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;

/**
 * The context of a command: output, configuration, environment and working folder.
 *
 * @param terminal whether standard error is a terminal
 */
public record Session(
        PrintWriter out,
        PrintWriter err,
        Configuration configuration,
        Map<String, String> environment,
        Path folder,
        boolean terminal) {
    /** Prints a line for the user on standard error, at once. */
    public void note(String text) {
        err.println("sheaf: " + text);
        err.flush();
    }

    /** The folder of what runs of this user share. */
    public Path state() {
        return folder.toAbsolutePath().resolve(StateFolder.of(environment));
    }
}
