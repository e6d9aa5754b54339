package io.sheaf.app.workflow;

import io.sheaf.app.cli.Candidates;
import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.OutputFile;
import io.sheaf.app.cli.ReadOptions;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.formats.WorkflowFormat;
import io.sheaf.formats.WorkflowWriter;
import io.sheaf.formats.registry.Formats;
import io.sheaf.runtime.run.RunFiles;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads a workflow in one format and writes it in another. */
@Command(
        name = "convert",
        description = "Convert a workflow to another format.",
        footer = {
            "",
            "From the folder of a run, it writes the tasks with measured run times.",
            "Example: sheaf convert montage.dax montage.yaml"
        })
public final class ConvertCommand extends SheafCommand {
    private static final String WFFORMAT = "wfformat";

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "IN",
            description = "The workflow file, or the folder of a run that has ended; '-' for standard input.")
    private @Nullable String in;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "OUT",
            description = "The file to write; '-' for standard output.")
    private @Nullable String out;

    @Mixin
    ReadOptions reading = new ReadOptions();

    @Option(
            names = "--to",
            completionCandidates = Candidates.FormatsWritten.class,
            paramLabel = "FORMAT",
            description = "Output format; by default detected from the name of OUT.")
    private @Nullable String to;

    @Option(names = "--list", description = "List the formats.")
    boolean list;

    @Override
    public Integer call() {
        if (list) {
            list();
            return ExitStatus.DONE;
        }
        if (in == null || out == null) {
            throw usage("give an input file and an output file");
        }
        if (isRecord(in, out)) {
            return copyRecord(in, out);
        }
        if (out.equals("-")) {
            WorkflowWriter writer = printedFormat(to);
            WorkflowFiles.print(reading.read(in), writer, session().out());
            return ExitStatus.DONE;
        }
        Workflow workflow = reading.read(in);
        WorkflowFiles.write(workflow, out, to);
        print(fields -> WorkflowFigures.of(workflow).fields(fields), text -> {});
        return ExitStatus.DONE;
    }

    /** Whether a run is to be written in the format of its record, which has more than a workflow: what tasks used, and where they ran. */
    private boolean isRecord(String from, String target) {
        String format = to != null
                ? to
                : target.equals("-") ? WFFORMAT : Formats.writerFor(target).name();
        return RunFiles.isRun(Path.of(from)) && format.equals(WFFORMAT);
    }

    private int copyRecord(String from, String target) {
        try {
            String text = new String(reading.content(from), StandardCharsets.UTF_8);
            if (target.equals("-")) {
                session().out().print(text);
            } else {
                OutputFile.write(target, file -> file.write(text));
            }
        } catch (IOException e) {
            throw new InputException("cannot be read: " + e.getMessage()).in(from);
        }
        if (!target.equals("-")) {
            print(fields -> WorkflowFigures.of(reading.read(from)).fields(fields), text -> {});
        }
        return ExitStatus.DONE;
    }

    private void list() {
        Fields<FormatUse> columns = new Fields<FormatUse>()
                .text("format", "name", use -> use.format().name())
                .left("files", use -> String.join(" ", use.format().suffixes()))
                .field((out, use) -> out.field("title", use.format().title()))
                .text("use", "use", FormatUse::text)
                .left("description", use -> use.format().title());
        Collection<FormatUse> formats = FormatUse.all().values();
        print(out -> columns.array(out, "formats", formats), out -> columns.table(out, formats));
    }

    /** A format and its uses. */
    private record FormatUse(WorkflowFormat format, boolean reads, boolean writes) {
        static Map<String, FormatUse> all() {
            Map<String, FormatUse> formats = new LinkedHashMap<>();
            Formats.readers().forEach(reader -> formats.put(reader.name(), new FormatUse(reader, true, false)));
            Formats.writers()
                    .forEach(writer -> formats.merge(
                            writer.name(),
                            new FormatUse(writer, false, true),
                            (known, added) -> new FormatUse(known.format(), true, true)));
            return formats;
        }

        String text() {
            return reads && writes ? "read, write" : reads ? "read" : "write";
        }
    }
}
