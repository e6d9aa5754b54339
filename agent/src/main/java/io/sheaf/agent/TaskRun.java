package io.sheaf.agent;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message.Ended;
import io.sheaf.agent.protocol.Message.Start;
import io.sheaf.agent.protocol.Output;
import io.sheaf.agent.protocol.TaskFiles;
import io.sheaf.agent.protocol.Usage;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An attempt with its process, from the start to its result. Times are of the monotonic clock. */
final class TaskRun {
    private static final Set<String> LOCAL = Set.of(
            "ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "jfs", "tmpfs", "ramfs", "overlay", "aufs", "apfs");
    private static final int TAIL_LINES = 10;
    private static final int TAIL_BYTES = 4096;
    private static final File NOTHING = new File("/dev/null");
    /** Characters that are not used in the name of a folder. */
    private static final Pattern UNSAFE = Pattern.compile("[^\\w.-]");

    /** Greater exit statuses mean a signal. */
    private static final int SIGNALLED = 128;

    private static final int SIGNAL_DOUBT_MILLIS = 3_000;
    private static final int DOUBT_MILLIS = 500;

    private final Start start;
    private final NodeResources.Share share;
    private final Workspace workspace;
    private final Process process;
    private final long startMillis;
    private final long startNanos = System.nanoTime();
    private long endNanos;
    private long outputTimeoutNanos;
    private int status = -1;
    private boolean exited;
    private long peakBytes = Usage.UNKNOWN;
    private long cpuMillis = Usage.UNKNOWN;
    private long readBytes = Usage.UNKNOWN;
    private long writtenBytes = Usage.UNKNOWN;

    /** Why the agent ends it; null if it does not. */
    private @Nullable AttemptOutcome cause;

    private String why = "";
    private long killNanos;

    private TaskRun(Start start, NodeResources.Share share, Workspace workspace, Process process, long startMillis) {
        this.startMillis = startMillis;
        this.start = start;
        this.share = share;
        this.workspace = workspace;
        this.process = process;
    }

    /**
     * What all attempts of a node have in common.
     *
     * @param run the name of the run
     * @param agentFolder where exits are recorded
     */
    record NodeContext(String run, Path agentFolder, boolean hasGpus, Affinity affinity, ForkServers servers) {}

    /** Starts the process; the exception's message gives the reason if it cannot be started. */
    static TaskRun launch(Start start, NodeResources.Share share, NodeContext node, String mark)
            throws NotRunnableException {
        try {
            return launched(start, share, node, mark);
        } catch (IllegalArgumentException e) {
            // A name that this system cannot have, such as one with a zero byte in it.
            throw new NotRunnableException("it cannot be run on this system: " + e.getMessage());
        }
    }

    private static TaskRun launched(Start start, NodeResources.Share share, NodeContext node, String mark)
            throws NotRunnableException {
        Workspace workspace = workspace(start, node.run);
        try {
            workspace.prepare();
        } catch (IOException e) {
            throw new NotRunnableException("cannot prepare its files: " + e);
        }
        Path base = Path.of(start.files().folder());
        Path script = base.resolve(start.files().out().replaceFirst("\\.out$", "") + ".script")
                .toAbsolutePath();
        Path out = base.resolve(start.files().out());
        write(script, TaskCommand.interpreted(start.work()), out);
        List<String> words = TaskCommand.words(start, node.affinity, share, workspace.folder(), script);
        Path err = base.resolve(start.files().err());
        long startMillis = System.currentTimeMillis();
        // Started directly, a program that cannot be executed gives the system's reason.
        boolean executable = Files.isExecutable(workspace.folder().resolve(words.get(0)));
        ProcessBuilder builder = new ProcessBuilder(
                        executable
                                ? ExitRecords.recorded(node.agentFolder, start.attempt(), startMillis, words)
                                : words)
                .directory(workspace.folder().toFile())
                .redirectInput(Redirect.from(NOTHING))
                .redirectOutput(out.toFile());
        if (err.equals(out)) {
            builder.redirectErrorStream(true);
        } else {
            builder.redirectError(err.toFile());
        }
        TaskCommand.variables(builder.environment(), start, share, node.hasGpus, mark);
        try {
            return new TaskRun(
                    start, share, workspace, node.servers.start(start, words, builder, out, err), startMillis);
        } catch (IOException e) {
            throw new NotRunnableException(
                    Reasons.notStarted(start, words, workspace.folder(), e), isUnwritableNow(out));
        }
    }

    private static Workspace workspace(Start start, String run) {
        return Workspace.of(start.files(), UNSAFE.matcher(run).replaceAll("_") + "-" + start.attempt());
    }

    /** Commits an attempt that exited with status 0 and whose agent was killed before it could; null if an output is absent. */
    static @Nullable Ended committed(Start start, String run, long startMillis, long runMillis) {
        Workspace workspace = workspace(start, run);
        try {
            return workspace.absent().isEmpty()
                    ? new Ended(
                            start.attempt(),
                            AttemptOutcome.SUCCEEDED,
                            0,
                            "",
                            new Usage(startMillis, runMillis, Usage.UNKNOWN, Usage.UNKNOWN),
                            workspace.commit(),
                            List.of())
                    : null;
        } catch (IOException e) {
            // The task gets another attempt, as if nothing had been recorded.
            return null;
        }
    }

    /** Beside the log, so that a failed script can be inspected. */
    private static void write(Path file, @Nullable String script, Path log) throws NotRunnableException {
        if (script != null) {
            try {
                Files.writeString(file, script);
                var unused = file.toFile().setExecutable(true);
            } catch (IOException e) {
                throw new NotRunnableException("cannot write its script: " + e, isUnwritableNow(log));
            }
        }
    }

    /** Whether the file system of the log is full or read-only, which is no fault of the task. */
    private static boolean isUnwritableNow(Path log) {
        try {
            Files.newOutputStream(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)
                    .close();
            return false;
        } catch (AccessDeniedException | NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    AttemptId attempt() {
        return start.attempt();
    }

    Start start() {
        return start;
    }

    NodeResources.Share share() {
        return share;
    }

    Process process() {
        return process;
    }

    long startMillis() {
        return startMillis;
    }

    long ageMillis(long now) {
        return (now - startNanos) / 1_000_000;
    }

    boolean exited() {
        return exited;
    }

    void exited(int exitStatus) {
        exited = true;
        status = exitStatus;
        endNanos = System.nanoTime();
        outputTimeoutNanos = endNanos + patienceMillis() * 1_000_000L;
    }

    /** Unless another time is requested, outputs are awaited only where another node's file system may show them later. */
    private int patienceMillis() {
        int millis = start.files().outputTimeoutMillis();
        // The type of a file system is read from the list of all mounts, which may be long: only if it matters.
        return millis == TaskFiles.OUTPUT_TIMEOUT_MILLIS
                        && status == 0
                        && (workspace.absent().isEmpty() || isLocal(workspace.folder()))
                ? 0
                : millis;
    }

    /** The maximum time to wait for outputs; it may be shorter. */
    void hurry(int millis) {
        long until = System.nanoTime() + millis * 1_000_000L;
        outputTimeoutNanos = until - outputTimeoutNanos < 0 ? until : outputTimeoutNanos;
    }

    /** Whether the agent ends it. */
    boolean ending() {
        return cause != null;
    }

    /** Begins to end it; the first cause and the earliest kill time apply. */
    void end(AttemptOutcome outcome, String reason, long killAtNanos) {
        if (cause == null) {
            cause = outcome;
            why = reason;
            killNanos = killAtNanos;
        } else if (killAtNanos - killNanos < 0) {
            killNanos = killAtNanos;
        }
    }

    /** The time since its kill was due; negative before. */
    long overdueMillis(long now) {
        return (now - killNanos) / 1_000_000;
    }

    boolean exceedsLimit(long now) {
        long limit = start.needs().limitMillis();
        return limit > 0 && ageMillis(now) > limit;
    }

    /** Records what its processes use now; returns whether that is more memory than it may use. */
    boolean measure(Processes.Group group) {
        cpuMillis = Math.max(cpuMillis, group.cpuMillis());
        readBytes = Math.max(readBytes, group.readBytes());
        writtenBytes = Math.max(writtenBytes, group.writtenBytes());
        long resident = group.residentBytes();
        peakBytes = Math.max(peakBytes, Math.max(resident, group.peakOfOneBytes()));
        long limit = start.needs().memoryBytes();
        return limit > 0 && resident > limit && group.proportionalBytes() > limit;
    }

    boolean measured() {
        return cpuMillis != Usage.UNKNOWN;
    }

    long peakBytes() {
        return peakBytes;
    }

    /**
     * Whether it failed a moment ago. A batch system that ends a job signals tasks and agent alike, and a task may react first: it did not
     * fail if the agent is stopped soon after.
     */
    boolean isInDoubt(long now) {
        long doubt = status > SIGNALLED ? SIGNAL_DOUBT_MILLIS : DOUBT_MILLIS;
        return exited && status != 0 && (now - endNanos) / 1_000_000 < doubt;
    }

    boolean hasFailed() {
        return exited && status != 0;
    }

    /** Whether, having ended well by itself, it still has to wait for outputs to appear. */
    boolean awaitsOutputs(long now) {
        return status == 0
                && now - outputTimeoutNanos < 0
                && !workspace.absent().isEmpty();
    }

    Ended result() {
        if (cause != null) {
            return failed(cause, why);
        }
        if (status != 0) {
            boolean isRunnable = status != Reasons.NOT_FOUND && status != Reasons.NOT_EXECUTABLE;
            return failed(
                    isRunnable ? AttemptOutcome.FAILED : AttemptOutcome.NOT_RUNNABLE,
                    Reasons.ended(
                            status,
                            start.work().argv(),
                            !start.work().container().isEmpty(),
                            start.work().setup().isEmpty() ? List.of() : tail(err())));
        }
        List<String> absent = workspace.absent();
        if (!absent.isEmpty()) {
            return failed(
                    AttemptOutcome.OUTPUT_ABSENT,
                    "exit status 0, but its output '" + absent.get(0) + "'"
                            + (absent.size() > 1 ? " and " + (absent.size() - 1) + " more" : "")
                            + (outputTimeoutNanos == endNanos
                                    ? " does not exist"
                                    : " did not appear within " + (outputTimeoutNanos - endNanos) / 1_000_000_000
                                            + " s"));
        }
        try {
            return ended(AttemptOutcome.SUCCEEDED, "", workspace.commit(), List.of());
        } catch (IOException e) {
            return failed(AttemptOutcome.OUTPUT_ABSENT, "cannot move its outputs into place: " + e);
        }
    }

    private Ended failed(AttemptOutcome outcome, String reason) {
        String left = workspace.abandon();
        return ended(outcome, left.isEmpty() ? reason : reason + "; " + left, List.of(), tail(err()));
    }

    private Path err() {
        return Path.of(start.files().folder()).resolve(start.files().err());
    }

    private Ended ended(AttemptOutcome outcome, String reason, List<Output> outputs, List<String> lastLines) {
        long until = exited ? endNanos : System.nanoTime();
        Usage usage = new Usage(startMillis, ageMillis(until), peakBytes, cpuMillis, readBytes, writtenBytes);
        return new Ended(start.attempt(), outcome, status, reason, usage, outputs, lastLines);
    }

    /** Whether a folder is certainly on a file system of this node; network file systems may show a task's files late. */
    private static boolean isLocal(Path folder) {
        try {
            return LOCAL.contains(Files.getFileStore(folder).type());
        } catch (IOException e) {
            return false;
        }
    }

    /** The last lines of a log. */
    private static List<String> tail(Path file) {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            long skipped = Math.max(0, in.length() - TAIL_BYTES);
            in.seek(skipped);
            byte[] bytes = new byte[(int) Math.min(TAIL_BYTES, in.length() - skipped)];
            int length = Math.max(0, in.read(bytes));
            List<String> lines =
                    new String(bytes, 0, length, StandardCharsets.UTF_8).lines().toList();
            // The first may be a piece only.
            int first = Math.max(lines.size() - TAIL_LINES, skipped > 0 && lines.size() > 1 ? 1 : 0);
            return lines.subList(first, lines.size());
        } catch (IOException e) {
            return List.of();
        }
    }
}
