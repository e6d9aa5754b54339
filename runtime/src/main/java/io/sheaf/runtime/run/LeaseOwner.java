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
 * The process that last took a run's lease: host, process id and start time. The start time distinguishes processes
 * that reuse an id.
 *
 * @param isLocal whether it is a process of this machine
 * @param isAlive whether it is known to be alive
 */
public record LeaseOwner(String host, String process, boolean isLocal, boolean isAlive) {
    private static final String ENDED = "ended";
    private static final LeaseOwner NONE = new LeaseOwner("", "", true, false);

    /** Identifies this process: host, process id and start time. */
    public static String text() {
        return text(ProcessHandle.current());
    }

    /** Identifies a process of this machine. */
    public static String text(ProcessHandle process) {
        return HostNames.own() + " " + process.pid() + " " + started(process);
    }

    /**
     * The start time in ticks since boot, where the system provides it; {@link #ENDED} for a process that has ended
     * and was not reaped.
     */
    private static String started(ProcessHandle process) {
        if (!Files.isReadable(Path.of("/proc/self/stat"))) {
            return process.info().startInstant().map(Instant::toString).orElse("?");
        }
        LivingProcess livingProcess = LivingProcess.of(process.pid());
        return livingProcess == null ? ENDED : livingProcess.born();
    }

    /** The process that last took the lease of a journal. */
    public static LeaseOwner of(Path journal) throws IOException {
        String owner = Journal.owner(journal);
        return owner == null ? NONE : read(owner);
    }

    /** Parses the result of {@link #text}. */
    static LeaseOwner read(String text) {
        List<String> words = List.of(text.split(" ", -1));
        if (words.size() != 3) {
            return NONE;
        }
        boolean isLocal = words.get(0).equals(HostNames.own());
        long pid = Long.parseLong(words.get(1));
        boolean isAlive = isLocal
                && ProcessHandle.of(pid)
                        .map(process -> process.isAlive() && started(process).equals(words.get(2)))
                        .orElse(false);
        return new LeaseOwner(words.get(0), words.get(1), isLocal, isAlive);
    }

    /** Whether a process has the lease of a run; true for a process on another machine, whose state is unknown. */
    public static boolean isAttended(Path run) throws IOException {
        return of(run.resolve("journal")).holder() != null;
    }

    /** Whether the process of a {@link #text} has certainly ended; false for one on another machine. */
    public static boolean isRemoved(String text) {
        return read(text).holder() == null;
    }

    /** Describes the process that has the lease or, on another machine, may have it; null if there is none. */
    public @Nullable String holder() {
        if (!isLocal) {
            return "process " + process + " on " + host;
        }
        return isAlive ? "process " + process : null;
    }

    /** Refuses to take the lease while another process has it, or may have it. */
    public static void refuseSecond(Path run, ManagerLease lease) throws IOException {
        LeaseOwner owner = of(run.resolve("journal"));
        boolean self = owner.isLocal
                && owner.process.equals(String.valueOf(ProcessHandle.current().pid()));
        if (lease.takeOver() || self) {
            return;
        }
        if (!owner.isLocal) {
            throw new InputException("process " + owner.process + " on " + owner.host + " has the lease of this run"
                    + "; resume it there or, if that process has ended, use --take-over");
        }
        if (owner.isAlive) {
            throw new InputException("process " + owner.process + " manages this run; stop it first (Ctrl-C), or"
                    + " take over the lease with --take-over");
        }
    }
}
