package io.sheaf.runtime.queue;

import io.sheaf.agent.Trees;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.runtime.control.ControlFolder;
import io.sheaf.runtime.control.ControlRequest;
import io.sheaf.runtime.control.SingleTask;
import io.sheaf.runtime.run.LeaseOwner;
import io.sheaf.runtime.run.RunFiles;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A queue of tasks in a folder. Not thread-safe.
 *
 * <p>The folder has an open run in {@code run} and copies of scripts in {@code scripts}. The states of tasks of {@code
 * submit-task} are in one file each in {@code tasks}, those of streams in the file {@code states}.
 *
 * <h2>Lifetime of the manager</h2>
 * A submitting process starts a manager if none is running. The manager ends after a period without work.
 *
 * <p>Before the manager reads its inbox for the last time, it creates the file {@code ending}, which names it. If a
 * submitter finds no such file after it has added a request, the manager will read the request. Otherwise the submitter waits for
 * the manager's end and starts another one.
 *
 * <p>A process that is about to start a manager creates the file {@code starting}, which names first itself and
 * then the manager. If that manager is killed before it has the lease, the next submitter detects it. Meanwhile submitters
 * add tasks to the inbox.
 */
public final class TaskQueue {
    /**
     * The time within which a started manager must take the lease before another process starts one, in
     * milliseconds.
     */
    private static final long START_MILLIS = 30_000;

    private static final String STARTING = "starting";
    private static final String ENDING = "ending";
    private static final String MANAGER = "manager";

    /** The folder with a file for each announced end of a task whose state was not queried since; exists once a caller waits. */
    private static final String UNREPORTED = "unreported";
    /** The suffix of a file in that folder for an end that is not announced yet. */
    private static final String LATER = ".later";

    /** The time after which an end that was not queried is ignored, since its tool may have ended, in milliseconds. */
    private static final long REPORT_MILLIS = 60_000;

    /** The time that a waiting caller allows its own task to end after another one, in milliseconds. */
    private static final long TOGETHER_MILLIS = 1_000;

    private static final long POLL_MILLIS = 200;

    private final Path folder;
    private final StateLog log;
    /** The last known states of tasks in the log. */
    private final Map<String, TaskReport> logged = new HashMap<>();

    public TaskQueue(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
        log = stateLog();
    }

    /** The run's folder. */
    public Path run() {
        return folder.resolve("run");
    }

    /**
     * Makes a prepared run the queue's run; returns whether it was the first. Removes it if the queue has a run
     * already.
     */
    public boolean take(Path made) throws IOException {
        try {
            Files.move(made, run(), StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (FileSystemException e) {
            if (!isMade()) {
                throw e;
            }
            Trees.delete(made);
            return false;
        }
    }

    public boolean isMade() {
        return RunFiles.isRun(run());
    }

    /** The path of the copy of a task's script; the original may change or be removed after the submission. */
    public Path script(String id) throws IOException {
        return Files.createDirectories(folder.resolve("scripts")).resolve(id);
    }

    /** The control requests to the run. */
    public ControlFolder inbox() {
        return new ControlFolder(run());
    }

    /** Submits a task; it is durable on return. */
    public void put(ControlRequest.Submit task) throws IOException {
        String id = task.origin().id();
        replace(place(id), new TaskReport(TaskPhase.WAITING, ""));
        ControlFolder inbox = inbox();
        inbox.noteSubmitter(id);
        inbox.put(task);
    }

    /** Submits tasks of one folder together on behalf of this process; they are durable on return. */
    public void putAll(String batch, List<SingleTask> tasks) throws IOException {
        ControlFolder inbox = inbox();
        inbox.noteThisProcess();
        inbox.put(SingleTask.together(batch, tasks));
    }

    /** The states of tasks that streams submitted, for one reader. */
    public StateLog stateLog() {
        return new StateLog(folder.resolve("states"));
    }

    public Path folder() {
        return folder;
    }

    public void drop(String id) throws IOException {
        inbox().put(new ControlRequest.Drop(id));
    }

    public TaskReport report(String id) throws IOException {
        String text;
        try {
            text = Files.readString(place(id)).strip();
        } catch (NoSuchFileException e) {
            log.follow(logged::put);
            TaskReport last = logged.get(id);
            if (last == null) {
                throw new InputException("there is no task '" + id + "' in " + folder);
            }
            return last;
        }
        int blank = text.indexOf(' ');
        String word = blank < 0 ? text : text.substring(0, blank);
        return new TaskReport(
                TaskPhase.valueOf(word.toUpperCase(Locale.ROOT)), blank < 0 ? "" : text.substring(blank + 1));
    }

    /** Writes the state of a task: into its file if {@code submit-task} made one, else into the log. */
    void write(String id, TaskPhase phase, String why) throws IOException {
        Path file = place(id);
        TaskReport report = new TaskReport(phase, why);
        if (Files.exists(file)) {
            replace(file, report);
        } else {
            log.add(id, report);
        }
    }

    /** Writes a state file atomically. */
    private static void replace(Path file, TaskReport report) throws IOException {
        Files.createDirectories(file.resolveSibling(""));
        Path made = file.resolveSibling("." + file.getFileName() + ".tmp");
        String why = report.why();
        Files.writeString(made, report.phase().word() + (why.isEmpty() ? "" : " " + why.replace('\n', ' ')) + "\n");
        Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Notes the end of a task for {@link #announceEnds}, before its state is written; does nothing if no caller waits for ends. */
    void noteEnd(String id) throws IOException {
        Path unreported = folder.resolve(UNREPORTED);
        if (Files.isDirectory(unreported)) {
            Files.writeString(unreported.resolve(id + LATER), "");
        }
    }

    /** Announces ends of tasks to callers of {@link #awaitEnd}, except ends that a caller has already read. */
    void announceEnds(Collection<String> ids) throws IOException {
        for (String id : ids) {
            announce(folder.resolve(UNREPORTED).resolve(id));
        }
    }

    private static void announce(Path end) throws IOException {
        try {
            Files.move(end.resolveSibling(end.getFileName() + LATER), end);
            Files.setLastModifiedTime(end, FileTime.fromMillis(System.currentTimeMillis()));
        } catch (NoSuchFileException e) {
            // A caller has already read it.
        }
    }

    /**
     * Waits until a task ends, for a caller that queries one task after the other and then pauses. Returns at once while another
     * task has ended whose state was not queried. The shell head of the command does the same.
     *
     * @param millis the maximum wait
     */
    public void awaitEnd(String id, long millis) throws IOException, InterruptedException {
        Path unreported = Files.createDirectories(folder.resolve(UNREPORTED));
        long from = System.currentTimeMillis();
        long until = isUnreported(unreported) ? from : from + millis;
        while (!report(id).phase().isFinished() && System.currentTimeMillis() < until) {
            Thread.sleep(POLL_MILLIS);
            if (isUnreported(unreported)) {
                until = Math.min(until, System.currentTimeMillis() + TOGETHER_MILLIS);
            }
        }
        if (report(id).phase().isFinished()) {
            Files.deleteIfExists(unreported.resolve(id + LATER));
            Files.deleteIfExists(unreported.resolve(id));
        }
    }

    private static boolean isUnreported(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                long age = System.currentTimeMillis()
                        - Files.getLastModifiedTime(file).toMillis();
                if (age < REPORT_MILLIS && !file.toString().endsWith(LATER)) {
                    return true;
                }
            }
        } catch (NoSuchFileException | DirectoryIteratorException e) {
            // Reported meanwhile.
            return false;
        }
        return false;
    }

    private Path place(String id) {
        if (!id.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,199}")) {
            throw new InputException("'" + id + "' is not a task id");
        }
        return folder.resolve("tasks").resolve(id);
    }

    // --- manager ---

    /** Whether this process must start a manager. */
    public boolean mayStart() throws IOException {
        if (LeaseOwner.isAttended(run())) {
            return false;
        }
        Path mark = folder.resolve(STARTING);
        try {
            Files.createFile(mark);
            Files.writeString(mark, LeaseOwner.text());
            return true;
        } catch (FileAlreadyExistsException e) {
            return isStale(mark) && Files.deleteIfExists(mark) && mayStart();
        }
    }

    /** Replaces this process in the file {@code starting} by the manager that it has started, with the cluster's size. */
    public void starts(ProcessHandle process, int nodes, int coresPerNode) throws IOException {
        try {
            Files.writeString(
                    folder.resolve(STARTING),
                    LeaseOwner.text(process) + "\n" + size(nodes, coresPerNode),
                    StandardOpenOption.TRUNCATE_EXISTING);
        } catch (NoSuchFileException e) {
            // The manager has the lease already.
        }
    }

    /** Whether a mark is stale: the process that it names has ended, or has exceeded its start time. */
    private static boolean isStale(Path mark) throws IOException {
        try {
            String process = Files.readString(mark);
            long made = Files.getLastModifiedTime(mark).toMillis();
            boolean old = Math.abs(System.currentTimeMillis() - made) > START_MILLIS;
            return old
                    || (!process.isEmpty()
                            && LeaseOwner.isRemoved(process.lines().findFirst().orElse("")));
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Whether a manager that may still exist will not read its inbox again. */
    public boolean isEnding() throws IOException {
        try {
            String process = Files.readString(folder.resolve(ENDING));
            return process.isEmpty() || !LeaseOwner.isRemoved(process);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Removes the file {@code ending} for a new manager. */
    public void begin() throws IOException {
        Files.deleteIfExists(folder.resolve(ENDING));
    }

    /**
     * Records that this manager has the lease, so that no other is started. The file, for readers without Java, has
     * the process, the size of the cluster, and the form of tasks that the manager accepts.
     */
    public void begun(int nodes, int coresPerNode) throws IOException {
        RunFolder.replace(folder.resolve(MANAGER), LeaseOwner.text() + " " + size(nodes, coresPerNode));
        Files.deleteIfExists(folder.resolve(STARTING));
    }

    private static String size(int nodes, int coresPerNode) {
        return nodes + " " + coresPerNode + " " + SingleTask.FORM + "\n";
    }

    /** Announces the end of this manager; returns whether it may end because no request is waiting. */
    public boolean mayEnd() throws IOException {
        Files.writeString(folder.resolve(ENDING), LeaseOwner.text());
        return inbox().isEmpty();
    }
}
