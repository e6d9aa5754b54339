package io.sheaf.runtime.run;

import io.sheaf.agent.link.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What other commands want of the process that is in charge of a run: files in a folder, there until it is done. */
public final class Requests {
    private static final String CANCEL = "cancel";
    private static final String RESUME = "resume";

    private final Path folder;

    public Requests(Path run) {
        folder = run.resolve("requests");
    }

    /** The run shall end, whatever is lost. */
    public void cancel() throws IOException {
        write(CANCEL);
    }

    /** The run shall go on if it has paused. */
    public void resume() throws IOException {
        write(RESUME);
    }

    private void write(String what) throws IOException {
        Files.createDirectories(folder);
        RunFolder.replace(folder.resolve(what), "");
    }

    boolean isCancelWanted() {
        return Files.exists(folder.resolve(CANCEL));
    }

    /** Whether it shall go on; asked once, it is not wanted any more. */
    boolean takeResume() {
        return folder.resolve(RESUME).toFile().delete();
    }

    /** Nothing is wanted any more. */
    void clear() throws IOException {
        Files.deleteIfExists(folder.resolve(CANCEL));
        Files.deleteIfExists(folder.resolve(RESUME));
    }
}
