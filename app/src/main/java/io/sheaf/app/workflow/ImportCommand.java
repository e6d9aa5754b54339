package io.sheaf.app.workflow;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.formats.snakemake.DrySubmission;
import io.sheaf.text.InputException;
import io.sheaf.text.Rounded;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Imports a workflow from another system. */
@Command(
        name = "import",
        description = "Import a workflow from Snakemake, without running it.",
        footer = {
            "",
            "The workflow has one task for each job that Snakemake would run now. Job scripts are written to a folder next to the file.",
            "Example: sheaf import snakemake -o cells.yaml -- --snakefile Snakefile --configfile cells.json"
        })
public final class ImportCommand extends SheafCommand {
    private static final String SNAKEMAKE = "snakemake";
    private static final String MANY = "1000000";

    @Parameters(index = "0", paramLabel = "SYSTEM", description = "snakemake (tested with 7.21).")
    String system = "";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "-- OPTION",
            description = "Options for Snakemake, after --.")
    List<String> options = new ArrayList<>();

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FILE",
            description = "The workflow file to write; its name determines the format.")
    private @Nullable String output;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!system.equals(SNAKEMAKE) || output == null) {
            throw usage(
                    "only snakemake is supported. Sheaf reads files of Makeflow, Pegasus and others directly: 'sheaf run FILE', 'sheaf convert FILE "
                            + output + "' ('sheaf convert --list' lists the formats)");
        }
        Path notes = Files.createTempDirectory("sheaf-import");
        DrySubmission submission = new DrySubmission(notes);
        submit(submission.command(), notes.resolve("said"));
        Path file = session().folder().toAbsolutePath().resolve(output).normalize();
        String name = file.getFileName().toString().replaceFirst("\\..*$", "");
        Workflow workflow = submission.read(name, file.resolveSibling(name + "-scripts"));
        if (workflow.size() == 0) {
            note("Snakemake has no jobs to run");
            return ExitStatus.DONE;
        }
        WorkflowFiles.write(workflow, file.toString(), null);
        if (json) {
            JsonOut.print(session().out(), WorkflowFigures.of(workflow)::fields);
        } else {
            note(output + " has " + Rounded.count(workflow.size())
                    + (workflow.size() == 1 ? " task" : " tasks") + "; run it in this folder: sheaf run "
                    + output);
        }
        return ExitStatus.DONE;
    }

    /** Makes Snakemake submit all jobs to a script that only records them. */
    private void submit(String command, Path submissions) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(SNAKEMAKE, "--immediate-submit", "--notemp", "--nolock"));
        // Snakemake does not learn that a submitted job has ended: the limit must allow all jobs.
        words.addAll(List.of("--jobs", MANY, "--cluster", command));
        words.addAll(options);
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(session().folder().toAbsolutePath().toFile())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(submissions.toFile()));
        builder.environment().clear();
        builder.environment().putAll(session().environment());
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new InputException("cannot start snakemake: " + e.getMessage());
        }
        if (process.waitFor() != 0) {
            List<String> lines = Files.readAllLines(submissions);
            String last = lines.isEmpty() ? "nothing" : lines.get(lines.size() - 1);
            throw new InputException(
                    "snakemake failed; last line of its output: " + last + " (all: " + submissions + ")");
        }
    }
}
