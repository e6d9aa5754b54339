package io.sheaf.agent;

import io.sheaf.agent.protocol.Message.Start;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Messages about failed attempts, for the author of the workflow. */
final class Reasons {
    static final int NOT_EXECUTABLE = 126;
    static final int NOT_FOUND = 127;

    // Numbers of errors on Linux.
    private static final int NO_ENTRY = 2;
    private static final int TOO_LONG = 7;
    private static final int NO_EXECUTABLE = 8;
    private static final int NO_ACCESS = 13;
    private static final Pattern ERROR = Pattern.compile("error[=:] ?(\\d{1,4})");
    private static final int SIGNALS = 128;
    private static final int LAST_SIGNAL = 64;
    private static final int SIGKILL = 9;
    private static final int SIGPIPE = 13;

    private Reasons() {}

    /** The operating system did not start it. */
    static String notStarted(Start start, List<String> words, Path folder, IOException failure) {
        String program = words.get(0);
        String message = String.valueOf(failure.getMessage());
        // Java 17 writes "error=2, No such file", Java 25 "error: 2 (No such file)".
        Matcher matcher = ERROR.matcher(message);
        int error = matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
        if (!Files.isDirectory(folder)) {
            return "the folder " + folder + " does not exist";
        }
        Path log = Path.of(start.files().folder()).resolve(start.files().out());
        if (!Files.isDirectory(log.resolveSibling(""))) {
            return "the folder of the log " + log + " does not exist";
        }
        // Where a folder of PATH cannot be searched, the system reports that instead.
        boolean absent = error == NO_ENTRY || (error == NO_ACCESS && program.indexOf('/') < 0);
        if (absent && program.equals("bash")) {
            return "bash was not found on this node; install it, or set 'shell: /bin/sh'";
        }
        if (absent) {
            return program.indexOf('/') < 0
                    ? "the program '" + program + "' was not found; load it in 'setup', or write its path"
                    : "the program '" + program + "' does not exist, or its interpreter does not";
        }
        if (error == NO_ACCESS) {
            return "'" + program + "' is not executable. Maybe chmod +x, or run it by its interpreter";
        }
        if (error == NO_EXECUTABLE) {
            return "'" + program + "' is not a program. A script needs a first line such as #!/bin/sh";
        }
        if (error == TOO_LONG) {
            return "the command or its environment is too long for this system; put arguments into a file";
        }
        return "cannot start '" + program + "': " + message;
    }

    /**
     * It ended by itself, with this status.
     *
     * @param contained whether it ran in a container, whose engine uses the statuses of a shell and the one before them
     * @param lastLines of its standard error
     */
    static String ended(int status, List<String> words, boolean contained, List<String> lastLines) {
        for (String line : lastLines) {
            if (line.startsWith(TaskCommand.SETUP_FAILED + status + ": ")) {
                return "exit status " + status + ": the line '"
                        + line.substring((TaskCommand.SETUP_FAILED + status + ": ").length()) + "' of 'setup' failed";
            }
        }
        if (contained && status >= NOT_EXECUTABLE - 1 && status <= NOT_FOUND) {
            return "exit status " + status + ": the container did not start, or a program in '"
                    + TaskCommand.shown(words) + "' was not found in it or is not executable";
        }
        if (status == NOT_FOUND) {
            return "exit status 127: a program in '" + TaskCommand.shown(words) + "' was not found";
        }
        if (status == NOT_EXECUTABLE) {
            return "exit status 126: a program in '" + TaskCommand.shown(words) + "' is not executable";
        }
        if (status == SIGNALS + SIGKILL) {
            return "killed by signal 9 from outside Sheaf; the node may be out of memory";
        }
        if (status == SIGNALS + SIGPIPE) {
            return "ended by signal 13 (SIGPIPE): a command in a pipe wrote after its reader had ended, as in '… | head';"
                    + " 'shell: bash -eu' accepts that";
        }
        if (status > SIGNALS && status <= SIGNALS + LAST_SIGNAL) {
            return "ended by signal " + (status - SIGNALS);
        }
        return "exit status " + status;
    }
}
