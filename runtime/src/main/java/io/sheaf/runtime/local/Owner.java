package io.sheaf.runtime.local;

import io.sheaf.agent.link.HostNames;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** Who is in charge of a run: host, process, and when that process started, so that its number is not mistaken. */
final class Owner {
    private Owner() {}

    /** This process. */
    static String text() {
        ProcessHandle self = ProcessHandle.current();
        return HostNames.own() + " " + self.pid() + " " + started(self);
    }

    /** In ticks since the machine was started: an instant would be another one after the clock was set. */
    private static String started(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"), StandardCharsets.ISO_8859_1);
            // Behind the name, which may hold anything, it is the 20th.
            return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19];
        } catch (IOException e) {
            return process.info().startInstant().map(Instant::toString).orElse("?");
        }
    }

    /** Refuses to take charge while another process is in charge, or may be. */
    static void refuseSecond(Path journal, boolean takeOver) throws IOException {
        String owner = Journal.owner(journal);
        if (owner == null || takeOver) {
            return;
        }
        List<String> words = List.of(owner.split(" ", -1));
        if (words.size() != 3) {
            return;
        }
        boolean here = words.get(0).equals(HostNames.own());
        if (!here) {
            throw new InputException("the run was last in the charge of process " + words.get(1) + " on " + words.get(0)
                    + "; resume it there or, if that process is gone, use --take-over");
        }
        long pid = Long.parseLong(words.get(1));
        boolean alive = pid != ProcessHandle.current().pid()
                && ProcessHandle.of(pid)
                        .map(process -> process.isAlive() && started(process).equals(words.get(2)))
                        .orElse(false);
        if (alive) {
            throw new InputException("process " + pid + " is in charge of this run; end it first (Ctrl-C), or take the"
                    + " run from it with --take-over");
        }
    }
}
