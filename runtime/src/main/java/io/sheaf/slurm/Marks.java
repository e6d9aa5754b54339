package io.sheaf.slurm;

import io.sheaf.agent.link.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a placeholder below the run's: its script, and what that leaves there for whoever lost sight of the job.
 *
 * <p>{@code started} is a folder, because only one of several jobs can make it; {@code by} says which one did. {@code gone.N}: the agent of
 * node N has ended, and everything that it ran. {@code ended}: the script has. {@code over} is ours: a job that finds it does nothing.
 */
record Marks(Path folder) {
    /**
     * Which job runs the placeholder.
     *
     * @param restarts how often Slurm had requeued it by then
     * @param at when it began, in milliseconds on its node's clock
     */
    record By(long job, int restarts, long at) {}

    static Marks of(RunFolder run, long token) {
        return new Marks(run.path().resolve("slurm").resolve(Long.toString(token)));
    }

    /** Makes the folder with the script in it. */
    Path write(String script) throws IOException {
        Files.createDirectories(folder);
        RunFolder.replace(script(), script);
        return script();
    }

    Path script() {
        return folder.resolve("script");
    }

    /** A job that has not started yet shall not. */
    void over() throws IOException {
        Files.createDirectories(folder);
        RunFolder.replace(folder.resolve("over"), "");
    }

    boolean isStarted() {
        return Files.exists(folder.resolve("started"));
    }

    boolean isEnded() {
        return Files.exists(folder.resolve("ended"));
    }

    boolean isGone(int node) {
        return Files.exists(folder.resolve("gone." + node));
    }

    /** The job that began; null if none has, or its words cannot be read yet. */
    @Nullable
    By by() {
        try {
            String[] words = Files.readString(folder.resolve("by")).strip().split(" ");
            return new By(Long.parseLong(words[0]), Integer.parseInt(words[1]), Long.parseLong(words[2]));
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return null;
        }
    }
}
