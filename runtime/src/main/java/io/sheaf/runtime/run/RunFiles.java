package io.sheaf.runtime.run;

import io.sheaf.agent.link.RunFolder;
import io.sheaf.formats.Source;
import io.sheaf.formats.registry.Formats;
import io.sheaf.runtime.cluster.WholeWorkflow;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files in a run's folder that define the run: its specification, its workflow, and the strategy that the
 * cluster chose.
 */
public final class RunFiles {
    private static final String SPEC = "run.json";
    private static final String WORKFLOW = "workflow.json";
    private static final String CHOICE = "choice.txt";
    public static final String RECORD = "record.json";
    public static final String CLOCK = "clock";
    /** The command and version that created the run, for people. */
    public static final String ORIGIN = "origin";

    /** A folder with the workflow file that the run was created from, under its own name. */
    private static final String SOURCE = "source";

    private static final String FORMAT = "wfformat";
    /** Only the run's user has access to its folder. */
    private static final String PRIVATE = "rwx------";

    private RunFiles() {}

    /** Whether a folder has a run. */
    public static boolean isRun(Path folder) {
        return Files.exists(specification(folder));
    }

    /** The file with the run's specification; written once, when the run is created. */
    public static Path specification(Path folder) {
        return folder.resolve(SPEC);
    }

    /** The creation time of a run: that of its specification, which is written once. */
    public static FileTime created(Path folder) {
        try {
            return Files.getLastModifiedTime(specification(folder));
        } catch (IOException e) {
            return FileTime.fromMillis(0);
        }
    }

    static void make(Path folder) throws IOException {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new InputException("is not a folder; use another --run-dir").in(folder.toString());
        }
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(PRIVATE)));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(PRIVATE));
    }

    static void write(Path folder, RunSpec spec, Workflow workflow) throws IOException {
        RunFolder.replace(
                folder.resolve(WORKFLOW), out -> Formats.writer(FORMAT).write(workflow, out));
        // Last: a folder with this file is a run.
        RunFolder.replace(specification(folder), spec.text());
    }

    static void write(Path folder, WholeWorkflow choice) throws IOException {
        RunFolder.replace(folder.resolve(CHOICE), choice.text());
    }

    /** The error for a folder without a run. */
    public static InputException noRun(Path folder) {
        return new InputException("there is no run in this folder (no " + SPEC + ")").in(folder.toString());
    }

    public static RunSpec spec(Path folder) {
        if (!isRun(folder)) {
            throw noRun(folder);
        }
        return RunSpec.read(folder.resolve(SPEC));
    }

    public static Workflow workflow(Path folder, RunSpec spec) throws IOException {
        return Formats.reader(FORMAT).read(Source.of(folder.resolve(WORKFLOW)), spec.fileEdges());
    }

    /** The command and version that created the run, one line each; empty for runs of earlier versions. */
    public static List<String> origin(Path folder) throws IOException {
        return RunFolder.lines(folder.resolve(ORIGIN));
    }

    /** The version of Sheaf that created the run; empty if unknown. */
    public static String version(Path folder) throws IOException {
        String label = "Version: sheaf ";
        return origin(folder).stream()
                .filter(line -> line.startsWith(label))
                .map(line -> line.substring(label.length()))
                .findFirst()
                .orElse("");
    }

    /** Keeps the file that the workflow was read from. */
    public static void keepSource(Path folder, String name, byte[] content) throws IOException {
        Files.createDirectories(folder.resolve(SOURCE));
        Files.write(folder.resolve(SOURCE).resolve(name), content);
    }

    /** The file that the workflow was read from; null for runs without one, and of earlier versions. */
    public static @Nullable Path source(Path folder) throws IOException {
        if (!Files.isDirectory(folder.resolve(SOURCE))) {
            return null;
        }
        try (Stream<Path> kept = Files.list(folder.resolve(SOURCE))) {
            return kept.findFirst().orElse(null);
        }
    }

    /** The cluster's choice for the whole workflow; null if the run did not request one. */
    public static @Nullable WholeWorkflow choice(Path folder) throws IOException {
        Path file = folder.resolve(CHOICE);
        return Files.exists(file) ? WholeWorkflow.read(Files.readString(file)) : null;
    }

    /** The strategy of a run: the named one, or the cluster's choice. */
    public static String strategy(Path folder, RunSpec spec) throws IOException {
        WholeWorkflow choice = spec.isWhole() ? choice(folder) : null;
        // Before the cluster's choice there are no decisions to replay, so any strategy restores the same state.
        return choice != null ? choice.chosen() : spec.isWhole() ? "onejob" : spec.strategy();
    }
}
