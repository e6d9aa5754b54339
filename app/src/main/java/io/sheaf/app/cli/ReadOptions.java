package io.sheaf.app.cli;

import io.sheaf.formats.Deferred;
import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowParameters;
import io.sheaf.formats.WorkflowReader;
import io.sheaf.formats.registry.Formats;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.run.RunFiles;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for reading a workflow file, shared by all commands that read one. */
@HelpHeading(HelpHeading.WORKFLOW)
public final class ReadOptions {
    @Option(
            names = "--from",
            completionCandidates = Candidates.FormatsRead.class,
            paramLabel = "FORMAT",
            description = "Format of the file; by default detected from its name and content.")
    public @Nullable String from;

    @Option(
            names = "--file-edges",
            negatable = true,
            fallbackValue = "true",
            description =
                    "Derive dependencies from files: a task that reads a file runs after the task that writes it. The default depends on the format.")
    private @Nullable Boolean fileEdges;

    /** Read once; a workflow may be read several times. */
    private @Nullable Source standardInput;

    @Mixin
    public ParameterOptions parameters = new ParameterOptions();

    /** The tasks that {@code --from} names if it is not the name of a format; the format is then detected from the file. */
    public List<String> extractTasks() {
        if (from == null
                || Formats.readers().stream().anyMatch(format -> format.name().equalsIgnoreCase(from))) {
            return List.of();
        }
        List<String> tasks = List.of(from.split(",", -1));
        from = null;
        return tasks;
    }

    /** Reads a workflow; notes groups of tasks that are known only during a run. */
    public Workflow read(String file) {
        return read(file, null);
    }

    /**
     * Reads a workflow.
     *
     * @param workFolder where patterns of file names are searched; null for the folder of the file
     */
    public Workflow read(String file, @Nullable Path workFolder) {
        List<Deferred> deferred = new ArrayList<>();
        Workflow workflow = read(file, workFolder, Set.of(), deferred);
        deferred.forEach(group -> System.err.println("sheaf: note: " + file + ": " + group.text()));
        return workflow;
    }

    /**
     * Reads a workflow with the groups over files that certain tasks have written.
     *
     * @param written the names of these tasks or groups
     * @param deferred receives the groups that are not in the workflow yet
     */
    public Workflow read(String file, @Nullable Path workFolder, Set<String> written, List<Deferred> deferred) {
        Source plain = source(file);
        WorkflowReader reader = from == null ? Formats.readerFor(plain) : Formats.reader(from);
        WorkflowParameters variables = variables();
        if (!variables.names().isEmpty() && !reader.name().equals("yaml")) {
            throw new InputException("--set and --params: only workflows in Sheaf YAML have variables").in(file);
        }
        Source source = (workFolder == null ? plain : plain.in(workFolder))
                .with(variables)
                .written(written, deferred::add);
        try {
            return reader.read(source, fileEdges == null ? reader.fileEdgesByDefault() : fileEdges);
        } catch (IOException e) {
            throw new InputException("cannot be read: " + e.getMessage()).in(file);
        }
    }

    /** The values of variables. */
    public WorkflowParameters variables() {
        return new WorkflowParameters(parameters.variables(), System.getenv());
    }

    /** The uncompressed content of a file that was read. */
    public byte[] content(String file) throws IOException {
        try (InputStream in = source(file).open()) {
            return in.readAllBytes();
        }
    }

    /** The record of a run: its tasks with measured run times. */
    private static Path record(Path run) throws IOException {
        Path measured = RecordedRun.open(run).measured();
        if (measured == null) {
            throw new InputException("the run has not ended; its record is written then").in(run.toString());
        }
        return measured;
    }

    private Source source(String file) {
        UsageException.unless(!file.isEmpty(), "the name of the workflow is empty");
        try {
            if (file.equals("-")) {
                standardInput = standardInput == null ? Source.standardInput() : standardInput;
                return standardInput;
            }
            Path path = OptionText.path(file);
            return Source.of(RunFiles.isRun(path) ? record(path) : path);
        } catch (IOException e) {
            throw new InputException("cannot be read: " + e.getMessage()).in(file);
        }
    }
}
