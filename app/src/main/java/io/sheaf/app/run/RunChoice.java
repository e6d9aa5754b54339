package io.sheaf.app.run;

import io.sheaf.app.cli.Session;
import io.sheaf.runtime.run.RunFiles;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Parameters;

/** Selects a run: a folder, a name in {@code sheaf-runs}, or the newest there. */
public final class RunChoice {
    public static final String RUNS = "sheaf-runs";

    @Parameters(
            paramLabel = "RUN",
            arity = "0..1",
            description = "Folder of the run, or its name in ./" + RUNS + " (default: the newest).")
    String run = "";

    public Path folder(Session session) {
        return folder(session, run);
    }

    /** The folder of a run by this name; the newest if the name is empty. */
    public static Path folder(Session session, String run) {
        Path current = session.folder().toAbsolutePath().normalize();
        if (run.isEmpty()) {
            return newest(current.resolve(RUNS));
        }
        Path named = current.resolve(RUNS).resolve(run).normalize();
        Path direct = current.resolve(run).normalize();
        return !RunFiles.isRun(direct) && RunFiles.isRun(named) ? named : direct;
    }

    /** Whether there is a newest run to use as the default. */
    public static boolean hasRuns(Session session) {
        return !in(session.folder().resolve(RUNS)).isEmpty();
    }

    /** The folders of all runs in a folder, in any order; none if there is no such folder. */
    public static List<Path> in(Path runs) {
        try (Stream<Path> all = Files.isDirectory(runs) ? Files.list(runs) : Stream.empty()) {
            return all.filter(RunFiles::isRun).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path newest(Path runs) {
        return in(runs).stream()
                .max(Comparator.comparing(RunFiles::created)
                        .thenComparing(folder -> folder.getFileName().toString()))
                .orElseThrow(() -> new InputException("no runs in ./" + RUNS + "; give the folder of a run"));
    }
}
