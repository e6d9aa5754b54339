package io.sheaf.runtime.batch;

import io.sheaf.agent.link.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a pilot job below the run's: its script, and what that leaves there for whoever lost sight of the job.
 *
 * <p>{@code started} is a folder, because only one of several jobs can make it; {@code by} says which one did. {@code gone.N}: the agent of
 * node N has ended, and everything that it ran. {@code ended}: the script has. {@code over} is ours: a job that finds it does nothing.
 */
public record JobFolder(Path folder) {
    /**
     * Which job runs the pilot job.
     *
     * @param restarts how often it had been requeued by then
     * @param at when it began, in milliseconds on its node's clock
     */
    public record By(long job, int restarts, long at) {}

    /** Those of a pilot job, in the folder that all of a run have theirs in. */
    public static JobFolder of(Path all, long token) {
        return new JobFolder(all.resolve(Long.toString(token)));
    }

    /** Makes the folder with the script in it. */
    public Path write(String script) throws IOException {
        Files.createDirectories(folder);
        RunFolder.replace(script(), script);
        return script();
    }

    public Path script() {
        return folder.resolve("script");
    }

    /** A job that has not started yet shall not. */
    public void over() throws IOException {
        Files.createDirectories(folder);
        RunFolder.replace(folder.resolve("over"), "");
    }

    public boolean isStarted() {
        return Files.exists(folder.resolve("started"));
    }

    public boolean isEnded() {
        return Files.exists(folder.resolve("ended"));
    }

    public boolean isGone(int node) {
        return Files.exists(folder.resolve("gone." + node));
    }

    /** The job that began; null if none has, or its words cannot be read yet. */
    public @Nullable By by() {
        try {
            String[] words = Files.readString(folder.resolve("by")).strip().split(" ");
            return new By(Long.parseLong(words[0]), Integer.parseInt(words[1]), Long.parseLong(words[2]));
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return null;
        }
    }
}
