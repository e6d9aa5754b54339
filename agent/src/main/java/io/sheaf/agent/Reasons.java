package io.sheaf.agent;

import io.sheaf.agent.protocol.Message.Start;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Why an attempt did not succeed, in words for the author of the workflow. */
final class Reasons {
    static final int NOT_EXECUTABLE = 126;
    static final int NOT_FOUND = 127;

    private static final int SIGNALS = 128;
    private static final int LAST_SIGNAL = 64;
    private static final int SIGKILL = 9;

    private Reasons() {}

    /** The operating system did not start it. */
    static String notStarted(Start start, List<String> words, Path folder, IOException failure) {
        String program = words.get(0);
        String message = String.valueOf(failure.getMessage());
        if (!Files.isDirectory(folder)) {
            return "the folder " + folder + " does not exist";
        }
        Path log = Path.of(start.files().folder()).resolve(start.files().out());
        if (!Files.isDirectory(log.resolveSibling(""))) {
            return "the folder of the log " + log + " does not exist";
        }
        if (message.contains("error=2,")) {
            return program.indexOf('/') < 0
                    ? "the program '" + program + "' is not found. Maybe load it in setup, or give its path"
                    : "the program '" + program + "' does not exist, or its interpreter does not";
        }
        if (message.contains("error=13,")) {
            return "'" + program + "' is not executable. Maybe chmod +x, or run it by its interpreter";
        }
        if (message.contains("error=8,")) {
            return "'" + program + "' is no program. A script needs a first line such as #!/bin/sh";
        }
        if (message.contains("error=7,")) {
            return "the command or its environment is too long for this system. Maybe put arguments into a file";
        }
        return "cannot start '" + program + "': " + message;
    }

    /** It ended by itself, with this status. */
    static String ended(int status, List<String> words) {
        if (status == NOT_FOUND) {
            return "exit status 127: a program in '" + TaskCommand.shown(words) + "' was not found";
        }
        if (status == NOT_EXECUTABLE) {
            return "exit status 126: a program in '" + TaskCommand.shown(words) + "' is not executable";
        }
        if (status == SIGNALS + SIGKILL) {
            return "killed by signal 9, not by us. Maybe the node was out of memory";
        }
        if (status > SIGNALS && status <= SIGNALS + LAST_SIGNAL) {
            return "ended by signal " + (status - SIGNALS);
        }
        return "exit status " + status;
    }
}
