package io.sheaf.slurm.whatif;

import io.sheaf.runtime.batch.BatchCommands;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The prediction errors of a run's job starts on Slurm. */
public final class PredictedStarts {
    private PredictedStarts() {}

    /**
     * The prediction errors by estimator: by how many milliseconds each job of a run started later than predicted.
     * Covers the last 200 jobs of a known cluster.
     *
     * @param clusters the folder with a subfolder per cluster
     */
    public static Map<String, List<Long>> errors(Path clusters, String run) throws IOException {
        Map<String, List<Long>> errors = new TreeMap<>();
        String ours = BatchCommands.name(run, 0).replaceFirst("0$", "");
        for (Path cluster : folders(clusters)) {
            for (StartBook.Entry entry : new StartBook(cluster).entries()) {
                if (entry.job().startsWith(ours) && entry.start() != Limit.UNKNOWN) {
                    entry.predicted()
                            .forEach((estimator, at) -> errors.computeIfAbsent(estimator, each -> new ArrayList<>())
                                    .add(entry.start() - at));
                }
            }
        }
        return errors;
    }

    private static List<Path> folders(Path clusters) throws IOException {
        List<Path> folders = new ArrayList<>();
        if (Files.isDirectory(clusters)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(clusters, Files::isDirectory)) {
                all.forEach(folders::add);
            }
        }
        folders.sort(null);
        return folders;
    }
}
