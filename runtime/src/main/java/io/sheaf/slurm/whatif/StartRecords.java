package io.sheaf.slurm.whatif;

import io.sheaf.manager.Request;
import io.sheaf.predict.Calibration;
import io.sheaf.predict.LearnedEstimator;
import io.sheaf.runtime.batch.BatchCommands;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The predictions and actual starts of our jobs: one small file per job, in a folder per user and cluster.
 *
 * <p>Each file is written elsewhere and moved, so that other processes and machines see it completely or not at all.
 * Only the process that submitted a job writes its file. Of the started jobs the last {@code kept} remain.
 *
 * @param kept the maximum number of started jobs
 */
public record StartRecords(Path folder, int kept) {
    static final int KEPT = 200;

    private static final String ENDING = ".start";

    /** The age at which entries of jobs that never started are removed, for processes that were killed. */
    private static final long FORGOTTEN = 60L * 86_400_000;

    StartRecords(Path folder) {
        this(folder, KEPT);
    }

    /**
     * One of our jobs.
     *
     * @param start its actual start; {@link Limit#UNKNOWN} while it is queued
     * @param predicted the start predicted by each estimator
     */
    record StartRecord(String job, long submitted, int nodes, long walltime, long start, Map<String, Long> predicted) {
        /** A job that is queued from an instant on. */
        static StartRecord queued(String job, long at, Request request, Map<String, Long> predicted) {
            return new StartRecord(job, at, request.units(), request.walltime(), Limit.UNKNOWN, predicted);
        }

        StartRecord started(long at) {
            return new StartRecord(job, submitted, nodes, walltime, at, predicted);
        }

        /** The same with more predictions; keeps the first of an estimator. */
        StartRecord with(Map<String, Long> others) {
            Map<String, Long> more = new LinkedHashMap<>(predicted);
            others.forEach(more::putIfAbsent);
            return new StartRecord(job, submitted, nodes, walltime, start, more);
        }

        long waited() {
            return Math.max(0, start - submitted);
        }
    }

    void write(StartRecord entry) throws IOException {
        Files.createDirectories(folder);
        StringBuilder text = new StringBuilder("job " + entry.job + " " + entry.submitted + " " + entry.nodes + " "
                + entry.walltime + " " + entry.start + "\n");
        entry.predicted.forEach(
                (name, at) -> text.append(name).append(' ').append(at).append('\n'));
        Path beside = Files.createTempFile(folder, "new", ".tmp");
        Files.writeString(beside, text.append("end\n"), StandardCharsets.UTF_8);
        Files.move(beside, file(entry.job), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    void forget(StartRecord entry) throws IOException {
        Files.deleteIfExists(file(entry.job));
    }

    private Path file(String job) {
        return folder.resolve(job.replaceAll("[^0-9A-Za-z_-]", "_") + ENDING);
    }

    /** The entry of a job; null if there is none. */
    @Nullable
    StartRecord entry(String job) throws IOException {
        return read(file(job));
    }

    /** All entries, by submission; skips invalid files. */
    List<StartRecord> entries() throws IOException {
        List<StartRecord> entries = new ArrayList<>();
        if (!Files.isDirectory(folder)) {
            return entries;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + ENDING)) {
            for (Path file : files) {
                StartRecord entry = read(file);
                if (entry != null) {
                    entries.add(entry);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        entries.sort(Comparator.comparingLong(StartRecord::submitted).thenComparing(StartRecord::job));
        return entries;
    }

    private static @Nullable StartRecord read(Path file) throws IOException {
        try {
            List<String> lines = Files.readAllLines(file);
            String[] head = lines.isEmpty() ? new String[0] : lines.get(0).split(" ", -1);
            if (head.length != 6
                    || !head[0].equals("job")
                    || !lines.get(lines.size() - 1).equals("end")) {
                return null;
            }
            Map<String, Long> predicted = new LinkedHashMap<>();
            for (String line : lines.subList(1, lines.size() - 1)) {
                int blank = line.lastIndexOf(' ');
                predicted.put(line.substring(0, Math.max(0, blank)), Long.parseLong(line.substring(blank + 1)));
            }
            return new StartRecord(
                    head[1],
                    Long.parseLong(head[2]),
                    Integer.parseInt(head[3]),
                    Long.parseLong(head[4]),
                    Long.parseLong(head[5]),
                    predicted);
        } catch (NoSuchFileException | NumberFormatException e) {
            // Another process has just removed it, or it is not a file of Sheaf.
            return null;
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** The started jobs in the order of their starts; removes those beyond the limit. */
    List<StartRecord> started(long now) throws IOException {
        List<StartRecord> started = new ArrayList<>();
        for (StartRecord entry : entries()) {
            if (entry.start != Limit.UNKNOWN) {
                started.add(entry);
            } else if (entry.submitted < now - FORGOTTEN) {
                forget(entry);
            }
        }
        started.sort(Comparator.comparingLong(StartRecord::start).thenComparing(StartRecord::job));
        while (started.size() > kept) {
            forget(started.remove(0));
        }
        return started;
    }

    /** The queue waits of started jobs. */
    static List<LearnedEstimator.Wait> waits(List<StartRecord> started) {
        return started.stream()
                .map(entry -> new LearnedEstimator.Wait(entry.nodes, entry.waited()))
                .toList();
    }

    /** The calibration from the estimators' errors. */
    static Calibration calibration(List<StartRecord> started) {
        Calibration calibration = new Calibration();
        for (StartRecord entry : started) {
            entry.predicted.forEach((name, at) -> {
                if (!DrawnWaits.isQuantile(name) && !PriorityErrors.isPriority(name)) {
                    calibration.add(name, at - entry.submitted, entry.start - entry.submitted);
                }
            });
        }
        return calibration;
    }

    /**
     * The prediction errors by estimator: by how many milliseconds each job of a run started later than predicted.
     * Covers the last 200 jobs of a known cluster.
     *
     * @param clusters the folder with a subfolder per cluster
     */
    public static Map<String, List<Long>> errors(Path clusters, String run) throws IOException {
        Map<String, List<Long>> errors = new TreeMap<>();
        String ours = BatchCommands.prefix(run);
        for (Path cluster : folders(clusters)) {
            for (StartRecord entry : new StartRecords(cluster).entries()) {
                if (entry.job().startsWith(ours) && entry.start() != Limit.UNKNOWN) {
                    entry.predicted().forEach((estimator, at) -> {
                        if (!PriorityErrors.isPriority(estimator)) {
                            errors.computeIfAbsent(estimator, each -> new ArrayList<>())
                                    .add(entry.start() - at);
                        }
                    });
                }
            }
        }
        return errors;
    }

    private static List<Path> folders(Path clusters) throws IOException {
        if (!Files.isDirectory(clusters)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(clusters)) {
            return all.filter(each -> Files.isDirectory(each)).sorted().toList();
        }
    }
}
