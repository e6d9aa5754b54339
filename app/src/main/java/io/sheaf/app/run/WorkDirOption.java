package io.sheaf.app.run;

import io.sheaf.app.cli.Session;
import io.sheaf.text.InputException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of the folder in which the tasks of a workflow run. */
public final class WorkDirOption {
    @Option(
            names = "--work-dir",
            paramLabel = "DIR",
            description = "Working folder of the tasks (default: the workflow's folder).")
    public @Nullable String workDir;

    /** The working folder of a workflow file. */
    public Path folder(Session session, String file) {
        Path current = session.folder().toAbsolutePath();
        if (workDir != null) {
            Path named = current.resolve(workDir).normalize();
            if (Files.exists(named) && !Files.isDirectory(named)) {
                throw new InputException("is not a folder; use another --work-dir").in(workDir);
            }
            if (named.getParent() != null && !Files.isDirectory(named.getParent())) {
                throw new InputException("its parent folder does not exist; create it, or correct --work-dir")
                        .in(workDir);
            }
            return named;
        }
        Path parent =
                file.equals("-") ? null : current.resolve(file).normalize().getParent();
        return parent == null ? current : parent;
    }
}
