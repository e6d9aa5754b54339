package io.sheaf.app.workflow;

import io.sheaf.app.cli.Candidates;
import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.ReadOptions;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.Table;
import io.sheaf.formats.WorkflowFormat;
import io.sheaf.formats.WorkflowWriter;
import io.sheaf.formats.registry.Formats;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Reads a workflow in one format and writes it in another. */
@Command(
        name = "convert",
        description = "Converts a workflow from one format to another.",
        footer = {"", "Example: sheaf convert montage.dax montage.yaml"})
public final class ConvertCommand extends SheafCommand {
    @Parameters(index = "0", arity = "0..1", paramLabel = "IN", description = "The workflow; '-' for standard input.")
    @Nullable
    String in;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "OUT",
            description = "Where to write; '-' for standard output.")
    @Nullable
    String out;

    @Mixin
    ReadOptions reading = new ReadOptions();

    @Option(
            names = "--to",
            completionCandidates = Candidates.FormatsWritten.class,
            paramLabel = "FORMAT",
            description = "The format to write; by default told by OUT's ending.")
    @Nullable
    String to;

    @Option(names = "--list", description = "List the formats.")
    boolean list;

    @Override
    public Integer call() {
        if (list) {
            list();
            return ExitStatus.DONE;
        }
        if (in == null || out == null) {
            throw new ParameterException(commandLine(), "name the file to read and the file to write");
        }
        if (out.equals("-")) {
            WorkflowWriter writer = printedFormat(to);
            WorkflowFiles.print(reading.read(in), writer, session().out());
            return ExitStatus.DONE;
        }
        Workflow workflow = reading.read(in);
        WorkflowFiles.write(workflow, out, to);
        if (json) {
            WorkflowFigures.of(workflow).print(session().out());
        }
        return ExitStatus.DONE;
    }

    private void list() {
        Map<String, FormatUse> formats = FormatUse.all();
        if (json) {
            try (JsonOut listed = new JsonOut(session().out())) {
                listed.object().array("formats");
                formats.forEach((name, use) -> listed.object()
                        .field("name", name)
                        .field("title", use.format().title())
                        .field("use", use.text())
                        .end());
                listed.end().end();
            }
            return;
        }
        List<List<String>> rows = new ArrayList<>();
        formats.forEach((name, use) -> rows.add(List.of(
                name,
                String.join(" ", use.format().suffixes()),
                use.text(),
                use.format().title())));
        Table.print(session().out(), List.of("format", "files", "use", "what it is"), rows, "<<<<");
    }

    /** A format and what it can be used for. */
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
