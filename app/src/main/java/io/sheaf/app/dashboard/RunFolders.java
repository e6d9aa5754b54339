package io.sheaf.app.dashboard;

import io.sheaf.app.web.WebException;
import io.sheaf.runtime.run.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The shown runs: those in a folder of runs, or a single one. The folder's name identifies a run. */
public final class RunFolders {
    /** Maximum number of runs listed, newest first. */
    private static final int MAX_RUNS = 200;

    private final Path folder;
    private final boolean single;

    private RunFolders(Path folder, boolean single) {
        this.folder = folder;
        this.single = single;
    }

    /** All runs in a folder, including later ones. */
    public static RunFolders in(Path state) {
        return new RunFolders(state.toAbsolutePath().normalize(), false);
    }

    public static RunFolders single(Path run) {
        return new RunFolders(run.toAbsolutePath().normalize(), true);
    }

    /** The folders of runs, newest first. */
    List<Path> list() throws IOException {
        if (single) {
            return List.of(folder);
        }
        try (Stream<Path> all = Files.isDirectory(folder) ? Files.list(folder) : Stream.empty()) {
            record Made(Path run, FileTime at) {}
            Function<Path, Made> made = run -> new Made(run, RunFiles.created(run));
            return all.filter(RunFiles::isRun)
                    .map(made)
                    .sorted(Comparator.comparing(Made::at)
                            .thenComparing(each -> id(each.run))
                            .reversed())
                    .limit(MAX_RUNS)
                    .map(Made::run)
                    .toList();
        }
    }

    static String id(Path run) {
        return String.valueOf(run.getFileName());
    }

    /** The folder of a listed run; rejects names that lead elsewhere. */
    Path find(String id) {
        Path run = single
                ? folder
                : folder.resolve(id.replaceAll("[/\\\\\\x00]", "_")).normalize();
        boolean inside = single || folder.equals(run.getParent());
        if (!inside || !id(run).equals(id) || !RunFiles.isRun(run)) {
            throw WebException.notFound("no such run: '" + id + "'");
        }
        return run;
    }
}
