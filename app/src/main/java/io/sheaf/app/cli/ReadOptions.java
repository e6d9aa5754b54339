package io.sheaf.app.cli;

import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowReader;
import io.sheaf.formats.registry.Formats;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for reading a workflow file, shared by all commands that read one. */
public final class ReadOptions {
    @Option(
            names = "--from",
            completionCandidates = Candidates.FormatsRead.class,
            paramLabel = "FORMAT",
            description = "Format of the file; by default detected from its name and content.")
    @Nullable
    public String from;

    @Option(
            names = "--file-edges",
            negatable = true,
            fallbackValue = "true",
            description =
                    "Derive dependencies from files: a task that reads a file runs after the task that writes it. The default depends on the format.")
    @Nullable
    Boolean fileEdges;

    /** The tasks that {@code --from} names if it is not the name of a format; the format is then detected from the file. */
    public List<String> takeTasks() {
        if (from == null
                || Formats.readers().stream().anyMatch(format -> format.name().equalsIgnoreCase(from))) {
            return List.of();
        }
        List<String> tasks = List.of(from.split(",", -1));
        from = null;
        return tasks;
    }

    public Workflow read(String file) {
        Source source = source(file);
        WorkflowReader reader = from == null ? Formats.readerFor(source) : Formats.reader(from);
        try {
            return reader.read(source, fileEdges == null ? reader.fileEdgesByDefault() : fileEdges);
        } catch (IOException e) {
            throw new InputException("cannot be read: " + e.getMessage()).in(file);
        }
    }

    private static Source source(String file) {
        try {
            if (file.equals("-")) {
                return Source.of("standard input", System.in.readAllBytes(), Path.of(""));
            }
            return Source.of(Path.of(file));
        } catch (InvalidPathException e) {
            throw new InputException("invalid file name: " + e.getReason()).in(file);
        } catch (IOException e) {
            throw new InputException("cannot be read: " + e.getMessage()).in(file);
        }
    }
}
