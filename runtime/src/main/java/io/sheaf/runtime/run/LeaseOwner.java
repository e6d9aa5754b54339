package io.sheaf.runtime.run;

import io.sheaf.agent.link.HostNames;
import io.sheaf.runtime.control.LivingProcess;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who took charge of a run last: host, process, and when that process started, so that its number is not mistaken.
 *
 * @param here whether it is a process of this machine
 * @param alive whether it is known to live
 */
public record LeaseOwner(String host, String process, boolean here, boolean alive) {
    private static final String ENDED = "ended";
    private static final LeaseOwner NOBODY = new LeaseOwner("", "", true, false);

    /** This process. */
    static String text() {
        return text(ProcessHandle.current());
    }

    /** A process of this machine. */
    static String text(ProcessHandle process) {
        return HostNames.own() + " " + process.pid() + " " + started(process);
    }

    /** In ticks since the machine was started where the system tells. Of one that has ended, but nobody took notice, {@link #ENDED}. */
    private static String started(ProcessHandle process) {
        if (!Files.isReadable(Path.of("/proc/self/stat"))) {
            return process.info().startInstant().map(Instant::toString).orElse("?");
        }
        LivingProcess living = LivingProcess.of(process.pid());
        return living == null ? ENDED : living.born();
    }

    /** Who took charge of a journal last. */
    public static LeaseOwner of(Path journal) throws IOException {
        String owner = Journal.owner(journal);
        return owner == null ? NOBODY : read(owner);
    }

    /** Whom {@link #text} tells of. */
    static LeaseOwner read(String text) {
        List<String> words = List.of(text.split(" ", -1));
        if (words.size() != 3) {
            return NOBODY;
        }
        boolean here = words.get(0).equals(HostNames.own());
        long pid = Long.parseLong(words.get(1));
        boolean alive = here
                && ProcessHandle.of(pid)
                        .map(process -> process.isAlive() && started(process).equals(words.get(2)))
                        .orElse(false);
        return new LeaseOwner(words.get(0), words.get(1), here, alive);
    }

    /** The process that is in charge or, on another machine, may be, in words; null if none is. */
    @Nullable
    public String inCharge() {
        if (!here) {
            return "process " + process + " on " + host;
        }
        return alive ? "process " + process : null;
    }

    /** Refuses to take charge while another process is in charge, or may be. */
    static void refuseSecond(Path journal, boolean takeOver) throws IOException {
        LeaseOwner owner = of(journal);
        boolean self = owner.here
                && owner.process.equals(String.valueOf(ProcessHandle.current().pid()));
        if (takeOver || self) {
            return;
        }
        if (!owner.here) {
            throw new InputException("the run was last in the charge of process " + owner.process + " on " + owner.host
                    + "; resume it there or, if that process is gone, use --take-over");
        }
        if (owner.alive) {
            throw new InputException("process " + owner.process + " is in charge of this run; end it first (Ctrl-C), or"
                    + " take the run from it with --take-over");
        }
    }
}
