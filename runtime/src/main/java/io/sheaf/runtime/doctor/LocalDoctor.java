package io.sheaf.runtime.doctor;

import io.sheaf.agent.Trees;
import io.sheaf.agent.link.HostNames;
import io.sheaf.runtime.limits.LimitsFile;
import io.sheaf.runtime.limits.SubmissionLimits;
import io.sheaf.text.InputException;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks this machine and the folder for runs. */
public record LocalDoctor(Path folder) {
    private static final int OLDEST_JAVA = 17;
    private static final long LITTLE_SPACE = 1L << 30;
    private static final long SLOW_MILLIS = 1_000;
    private static final long CLOCK_MILLIS = 5_000;
    private static final int FEW_FILES = 1_024;
    private static final int CONNECT_MILLIS = 2_000;

    public List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        findings.add(java());
        findings.addAll(fileSystem());
        findings.add(ports());
        findings.add(limits());
        findings.add(site());
        return findings;
    }

    private static Finding java() {
        int version = Runtime.version().feature();
        String found = "release " + Runtime.version() + " of " + System.getProperty("java.vendor");
        return version >= OLDEST_JAVA
                ? Finding.good("Java", found)
                : Finding.bad("Java", found, "install release " + OLDEST_JAVA + " or later, and set JAVA_HOME to it");
    }

    /** Checks what a run's folder needs: exclusive file creation, atomic moves and durable writes. */
    private List<Finding> fileSystem() {
        List<Finding> findings = new ArrayList<>();
        Path probe = null;
        try {
            probe = Files.createTempDirectory(folder, ".sheaf-doctor");
            findings.add(moves(probe));
            findings.add(space(probe));
            findings.add(clock(probe));
        } catch (IOException e) {
            findings.add(Finding.bad(
                    "file system",
                    folder.toAbsolutePath() + " cannot be written (" + e.getMessage() + ")",
                    "change to a folder that you own, or set --run-dir"));
        } finally {
            delete(probe);
        }
        return findings;
    }

    private static Finding moves(Path probe) throws IOException {
        long from = System.nanoTime();
        Path first = Files.writeString(probe.resolve("a"), "1");
        try {
            Files.createFile(first);
            return Finding.bad(
                    "file system",
                    "exclusive creation of files does not work",
                    "use another file system for runs: --run-dir");
        } catch (FileAlreadyExistsException e) {
            Files.move(first, probe.resolve("b"), StandardCopyOption.ATOMIC_MOVE);
        }
        try (FileChannel channel = FileChannel.open(probe.resolve("b"), StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        long millis = (System.nanoTime() - from) / 1_000_000;
        String found = type(probe) + ", a durable write in " + Rounded.time(millis);
        return Finding.of(
                millis <= SLOW_MILLIS,
                "file system",
                found,
                "each decision of a run waits for the disk; use a faster file system with --run-dir");
    }

    private static String type(Path probe) {
        try {
            return Files.getFileStore(probe).type();
        } catch (IOException e) {
            // In a changed root the mount point is not listed.
            return "of unknown type";
        }
    }

    private static Finding space(Path probe) {
        long free = probe.toFile().getUsableSpace();
        String found = Rounded.count(free >> 20) + " MiB free";
        return Finding.of(
                free >= LITTLE_SPACE,
                "space",
                found,
                "tasks' outputs may not fit; a run waits while its journal cannot be written");
    }

    /** Compares the machine's clock with that of the file system, which may be a server's. */
    private static Finding clock(Path probe) throws IOException {
        long before = System.currentTimeMillis();
        Path file = Files.writeString(probe.resolve("c"), "1");
        long difference = Files.getLastModifiedTime(file).toMillis() - before;
        String found = "differs from the file system's by " + Rounded.time(Math.abs(difference));
        return Finding.of(
                Math.abs(difference) <= CLOCK_MILLIS,
                "clock",
                found,
                "synchronize the clocks with NTP, e.g. by chrony");
    }

    private static Finding ports() {
        List<String> reached = new ArrayList<>();
        try (ServerSocket server = new ServerSocket(0)) {
            for (String address : HostNames.addresses("")) {
                try (Socket socket = new Socket()) {
                    socket.connect(
                            new InetSocketAddress(InetAddress.getByName(address), server.getLocalPort()),
                            CONNECT_MILLIS);
                    reached.add(address);
                } catch (IOException e) {
                    // A later check reports a file that is missing altogether.
                }
            }
        } catch (IOException e) {
            return Finding.doubtful(
                    "ports", "cannot listen on any port (" + e.getMessage() + ")", "use --listen files");
        }
        return reached.isEmpty()
                ? Finding.doubtful("ports", "no address of this machine answers", "use --listen files")
                : Finding.good("ports", "reached at " + String.join(", ", reached));
    }

    private static Finding limits() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
                String[] words = line.split("\\s{2,}");
                if (words.length > 1 && words[0].equals("Max open files")) {
                    boolean tooFew = words[1].matches("[0-9]{1,9}") && Integer.parseInt(words[1]) < FEW_FILES;
                    return Finding.of(!tooFew, "limits", words[1] + " open files", "raise it: ulimit -n 4096");
                }
            }
        } catch (IOException e) {
            return Finding.doubtful("limits", "cannot be read (" + e.getMessage() + ")", "");
        }
        return Finding.good("limits", "not reported by this system");
    }

    private static Finding site() {
        try {
            SubmissionLimits limits = LimitsFile.limits();
            return Finding.good("site", limits.areNone() ? "no site limits" : limits.text());
        } catch (InputException e) {
            return Finding.bad("site", e.getMessage(), "report it to the site's administrators");
        }
    }

    private static void delete(@Nullable Path probe) {
        if (probe == null) {
            return;
        }
        try {
            Trees.delete(probe);
        } catch (IOException e) {
            // Leaves a hidden folder with a descriptive name behind.
        }
    }
}
