package io.sheaf.runtime.run;

import io.sheaf.agent.link.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Requests of other commands to the manager of a run: files in a folder that exist until the manager has handled
 * them.
 */
public final class Requests {
    private static final String CANCEL = "cancel";
    private static final String RESUME = "resume";

    private final Path folder;

    public Requests(Path run) {
        folder = run.resolve("requests");
    }

    /** Requests that the run ends; running tasks are lost. */
    public void cancel() throws IOException {
        write(CANCEL);
    }

    /** Requests that a paused run continues. */
    public void resume() throws IOException {
        write(RESUME);
    }

    private void write(String request) throws IOException {
        Files.createDirectories(folder);
        RunFolder.replace(folder.resolve(request), "");
    }

    boolean isCancelRequested() {
        return Files.exists(folder.resolve(CANCEL));
    }

    /** Whether the run is to continue; removes the request. */
    boolean takeResume() {
        return folder.resolve(RESUME).toFile().delete();
    }

    /** Removes all requests. */
    void clear() throws IOException {
        Files.deleteIfExists(folder.resolve(CANCEL));
        Files.deleteIfExists(folder.resolve(RESUME));
    }
}
