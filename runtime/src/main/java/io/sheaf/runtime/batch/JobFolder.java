package io.sheaf.runtime.batch;

import io.sheaf.agent.link.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a pilot job in the run's folder: its script, and the marks from which a manager recovers the job's
 * state.
 *
 * <p>{@code started} is a folder, because only one of several jobs can create it; {@code by} identifies that job.
 * {@code gone.N}: the agent of node N has ended with all its processes. {@code ended}: the script has ended.
 * {@code granted}: what a job with an elastic request has. The driver writes {@code over}: a job that finds it does nothing.
 */
public record JobFolder(Path folder) {
    /** The mark of a pilot job that has ended or was cancelled. */
    static final String ENDED = "over";

    /**
     * The job that runs the pilot job.
     *
     * @param restarts how often it had been requeued by then
     * @param at when it began, in milliseconds on its node's clock
     */
    public record Starter(long job, int restarts, long at) {}

    /**
     * The folder of a pilot job.
     *
     * @param all the folder of all pilot jobs of the run
     */
    public static JobFolder of(Path all, long token) {
        return new JobFolder(all.resolve(Long.toString(token)));
    }

    public Path write(String script) throws IOException {
        Files.createDirectories(folder);
        RunFolder.replace(script(), script);
        return script();
    }

    public Path script() {
        return folder.resolve("script");
    }

    /** Prevents the start of a job that has not started yet. */
    public void preventStart() throws IOException {
        Files.createDirectories(folder);
        RunFolder.replace(folder.resolve(ENDED), "");
    }

    public boolean isStarted() {
        return Files.exists(folder.resolve("started"));
    }

    public boolean isEnded() {
        return Files.exists(folder.resolve("ended"));
    }

    public boolean isNodeEnded(int node) {
        return Files.exists(folder.resolve("gone." + node));
    }

    /**
     * What the batch system granted of a range.
     *
     * @param walltime milliseconds
     */
    public record Grant(long walltime, int nodes) {}

    /** What the batch system granted of a range; null if the request was none, or the mark cannot be read. */
    public @Nullable Grant grant() {
        try {
            String[] words = Files.readString(folder.resolve("granted")).strip().split(" ");
            return new Grant(Math.max(1, Long.parseLong(words[0])), Math.max(1, Integer.parseInt(words[1])));
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return null;
        }
    }

    /** The job that began; null if none has, or the mark cannot be read yet. */
    public @Nullable Starter starter() {
        try {
            String[] words = Files.readString(folder.resolve("by")).strip().split(" ");
            return new Starter(Long.parseLong(words[0]), Integer.parseInt(words[1]), Long.parseLong(words[2]));
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return null;
        }
    }
}
