package io.sheaf.runtime.queue;

import io.sheaf.agent.link.RunFolder;
import io.sheaf.runtime.control.ControlFolder;
import io.sheaf.runtime.control.ControlRequest;
import io.sheaf.runtime.control.SingleTask;
import io.sheaf.runtime.run.WorkflowRun;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * A queue of tasks in a folder: an open run in {@code run}, the state of each task in {@code tasks}, their scripts in {@code scripts}.
 *
 * <h2>Who is in charge</h2>
 * Nobody for long: whoever hands in a task starts a process if none is there, and that process ends when it has had nothing to do for a while. It says so by the
 * file {@code ending} before it looks into its inbox for the last time. So whoever has put something in and finds no such file can rely on being heard; who finds
 * it waits until that process is gone, and starts another. Whoever is about to start one says so by the file {@code starting}, which names itself and then the process that
 * it has started: if that is killed before it is in charge, the next one to come sees it.
 */
public final class TaskQueue {
    /** So long a process that was started has to take charge, before somebody else starts one. */
    private static final long START_MILLIS = 30_000;

    private static final String STARTING = "starting";
    private static final String ENDING = "ending";
    private static final String IN_CHARGE = "in-charge";

    private final Path folder;

    public TaskQueue(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
    }

    /** The run's folder. */
    public Path run() {
        return folder.resolve("run");
    }

    /** Makes a run that lies beside it the queue's; whether it was the first. Another one is removed. */
    public boolean take(Path made) throws IOException {
        try {
            Files.move(made, run(), StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (FileSystemException e) {
            if (!isMade()) {
                throw e;
            }
            delete(made);
            return false;
        }
    }

    /** A run that never began. */
    private static void delete(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                if (Files.isDirectory(file)) {
                    delete(file);
                } else {
                    Files.delete(file);
                }
            }
        }
        Files.delete(folder);
    }

    public boolean isMade() {
        return WorkflowRun.isRun(run());
    }

    /** Where the script of a task is kept, which may change or go once it was handed in. */
    public Path script(String id) throws IOException {
        return Files.createDirectories(folder.resolve("scripts")).resolve(id);
    }

    /** Hands in a task; it is durable then. */
    public void put(ControlRequest.Submit task) throws IOException {
        write(task.origin().id(), TaskPhase.WAITING, "");
        ControlFolder inbox = new ControlFolder(run());
        inbox.noteSubmitter();
        inbox.put(task);
    }

    /** Submits tasks of one folder together on behalf of this process; they are durable then. */
    public void putAll(String batch, List<SingleTask> tasks) throws IOException {
        ControlFolder inbox = new ControlFolder(run());
        inbox.noteThisProcess();
        inbox.put(SingleTask.together(batch, tasks));
    }

    /** Whether so many requests wait for the manager that it accepts no more for now. */
    public boolean isFull() {
        return new ControlFolder(run()).isFull();
    }

    /** The folder with a file for each task, which holds its state. */
    public Path states() {
        return folder.resolve("tasks");
    }

    /** A task is not wanted any more. */
    public void drop(String id) throws IOException {
        new ControlFolder(run()).put(new ControlRequest.Drop(id));
    }

    /** How far a task is. */
    public TaskReport report(String id) throws IOException {
        String text;
        try {
            text = Files.readString(place(id)).strip();
        } catch (NoSuchFileException e) {
            throw new InputException("there is no task '" + id + "' in " + folder);
        }
        int blank = text.indexOf(' ');
        String word = blank < 0 ? text : text.substring(0, blank);
        return new TaskReport(TaskPhase.named(word), blank < 0 ? "" : text.substring(blank + 1));
    }

    /** Tells how far a task is; a reader sees all of it or what was there before. */
    void write(String id, TaskPhase phase, String why) throws IOException {
        Path file = place(id);
        Files.createDirectories(file.resolveSibling(""));
        Path made = file.resolveSibling("." + id + ".tmp");
        Files.writeString(made, phase.word() + (why.isEmpty() ? "" : " " + why.replace('\n', ' ')) + "\n");
        Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private Path place(String id) {
        if (!id.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,199}")) {
            throw new InputException("'" + id + "' is no id of a task");
        }
        return states().resolve(id);
    }

    // --- who is in charge ---

    /** Whether a process has to be started, and this one is to do it. */
    public boolean mayStart() throws IOException {
        if (WorkflowRun.isAttended(run())) {
            return false;
        }
        Path mark = folder.resolve(STARTING);
        try {
            Files.createFile(mark);
            Files.writeString(mark, WorkflowRun.thisProcess());
            return true;
        } catch (FileAlreadyExistsException e) {
            return isVain(mark) && Files.deleteIfExists(mark) && mayStart();
        }
    }

    /** This process has started the one that is to be in charge; until now it was itself to be waited for. */
    public void starts(ProcessHandle process) throws IOException {
        try {
            Files.writeString(
                    folder.resolve(STARTING), WorkflowRun.known(process), StandardOpenOption.TRUNCATE_EXISTING);
        } catch (NoSuchFileException e) {
            // It is in charge already.
            return;
        }
    }

    /** Whether nobody will take charge because of a mark: the process that it names is gone, or has had more time than it needs. */
    private static boolean isVain(Path mark) throws IOException {
        try {
            String process = Files.readString(mark);
            long made = Files.getLastModifiedTime(mark).toMillis();
            boolean old = Math.abs(System.currentTimeMillis() - made) > START_MILLIS;
            return old || (!process.isEmpty() && WorkflowRun.isGone(process));
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Whether the process in charge will not look into its inbox any more. */
    public boolean isEnding() {
        return Files.exists(folder.resolve(ENDING));
    }

    /** This process is in charge, or about to be. */
    public void begin() throws IOException {
        Files.deleteIfExists(folder.resolve(ENDING));
    }

    /**
     * It is; another need not be started any more. Who it is, how large its cluster, and that it takes tasks as text lies beside the tasks, for those who ask without
     * Java.
     */
    public void begun(int nodes, int coresPerNode) throws IOException {
        String text = WorkflowRun.thisProcess() + " " + nodes + " " + coresPerNode + " " + SingleTask.FORM;
        RunFolder.replace(folder.resolve(IN_CHARGE), text + "\n");
        Files.deleteIfExists(folder.resolve(STARTING));
    }

    /** This process would like to end; whether it may, since nothing waits. */
    public boolean mayEnd() throws IOException {
        Files.writeString(folder.resolve(ENDING), "");
        return new ControlFolder(run()).isEmpty();
    }
}
