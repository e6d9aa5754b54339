package io.sheaf.agent;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.Message.Ended;
import io.sheaf.agent.protocol.Message.Start;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file of an agent with one line for each attempt whose process exited with status 0. The process that waits for the task, or a
 * forked process itself, writes it before it exits, so that an attempt counts even if its agent is killed before it can store a result.
 *
 * <p>A line does not wait for the disk. It has to survive processes, not the machine: after a failure of the machine the outputs of the
 * task may be lost as well.
 */
public final class ExitRecords {
    private static final String FILE = "exits";
    private static final String VARIABLE = "SHEAF_EXITS";
    private static final String SHELL = "/bin/sh";
    /** The name of the waiting process in its arguments. */
    private static final String WAITING = "sheaf-task";

    /**
     * Waits for the task and adds a line: attempt, start on the wall clock, uptime of the node at start and end. A task that was signalled to
     * end has no line: it may have exited with status 0 before its work was complete.
     */
    private static final String SCRIPT = """
            trap sheaf_signal=1 HUP INT QUIT ALRM TERM USR1 USR2 XCPU
            sheaf_exits=$1 sheaf_line=$2
            shift 2
            read -r sheaf_begin sheaf_rest < /proc/uptime
            "$@"
            sheaf_status=$?
            if [ $sheaf_status -eq 0 ] && [ -z "$sheaf_signal" ]; then
              read -r sheaf_end sheaf_rest < /proc/uptime
              echo "$sheaf_line $sheaf_begin $sheaf_end." >> "$sheaf_exits"
            fi
            exit $sheaf_status
            """;

    private static final Pattern LINE =
            Pattern.compile("(\\d{1,9})\\.(\\d{1,9}) (\\d{1,15}) (\\d{1,12})\\.(\\d\\d) (\\d{1,12})\\.(\\d\\d)\\.");

    private ExitRecords() {}

    /** An attempt that exited with status 0: its start on the node's wall clock, and its run time. */
    private record Exit(AttemptId attempt, long startMillis, long runMillis) {}

    /** The command with a process before it that waits for it and records its exit. */
    static List<String> recorded(Path agentFolder, AttemptId attempt, long startMillis, List<String> command) {
        List<String> words = new ArrayList<>(List.of(
                SHELL, "-c", SCRIPT, WAITING, agentFolder.resolve(FILE).toString(), attempt + " " + startMillis));
        words.addAll(command);
        return words;
    }

    /** The variable with which a forked process records its own exit: attempt, start on the wall clock, and the file after a tab. */
    static String variable(Path agentFolder, AttemptId attempt, long startMillis) {
        return VARIABLE + "=" + attempt + " " + startMillis + "\t" + agentFolder.resolve(FILE);
    }

    /** Whether a process with these arguments waits for a task. */
    static boolean isWaiting(List<String> arguments) {
        return arguments.size() > 3
                && arguments.get(3).equals(WAITING)
                && arguments.get(2).equals(SCRIPT);
    }

    /** The results of those attempts that are in the file and whose outputs exist; their outputs are committed. */
    public static List<Ended> committed(Path agentFolder, List<Start> open) throws IOException {
        Map<AttemptId, Exit> exits = open.isEmpty() ? Map.of() : read(agentFolder.resolve(FILE));
        if (exits.isEmpty()) {
            return List.of();
        }
        String run = AgentSettings.read(agentFolder).run();
        List<Ended> results = new ArrayList<>();
        for (Start start : open) {
            Exit exit = exits.get(start.attempt());
            Ended ended = exit == null ? null : TaskRun.committed(start, run, exit.startMillis, exit.runMillis);
            if (ended != null) {
                results.add(ended);
            }
        }
        return results;
    }

    private static Map<AttemptId, Exit> read(Path file) throws IOException {
        try {
            // An incomplete line is of a process that was killed, or of a full disk.
            Map<AttemptId, Exit> exits = new HashMap<>();
            for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
                Exit exit = parse(line);
                if (exit != null) {
                    exits.put(exit.attempt, exit);
                }
            }
            return exits;
        } catch (NoSuchFileException e) {
            return Map.of();
        }
    }

    private static @Nullable Exit parse(String line) {
        Matcher fields = LINE.matcher(line);
        if (!fields.matches()) {
            return null;
        }
        long begin = Long.parseLong(fields.group(4) + fields.group(5));
        long end = Long.parseLong(fields.group(6) + fields.group(7));
        return new Exit(
                new AttemptId(Integer.parseInt(fields.group(1)), Integer.parseInt(fields.group(2))),
                Long.parseLong(fields.group(3)),
                Math.max(0, end - begin) * 10);
    }
}
