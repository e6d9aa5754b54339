package io.sheaf.app;

import io.sheaf.formats.Formats;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads a workflow in one format and writes it in another. */
@Command(
        name = "convert",
        description = "Converts a workflow from one format to another.",
        footer = {"", "Example: sheaf convert montage.dax montage.yaml"})
final class ConvertCommand extends SheafCommand {
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
            session()
                    .err()
                    .println(
                            "sheaf convert: name the file to read and the file to write ('sheaf convert --help' tells more)");
            return ExitStatus.USAGE;
        }
        Workflow workflow = reading.read(in);
        if (out.equals("-")) {
            WorkflowFiles.print(
                    workflow,
                    Formats.writer(to == null ? "wfformat" : to),
                    session().out());
        } else {
            WorkflowFiles.write(workflow, out, to);
            if (json) {
                WorkflowFigures.of(workflow).print(session().out());
            }
        }
        return ExitStatus.DONE;
    }

    private void list() {
        if (json) {
            try (JsonOut listed = new JsonOut(session().out())) {
                listed.object().array("formats");
                Formats.all().forEach(format -> listed.object()
                        .field("name", format.name())
                        .field("title", format.title())
                        .field("use", Formats.use(format))
                        .end());
                listed.end().end();
            }
            return;
        }
        List<List<String>> rows = new ArrayList<>();
        Formats.all()
                .forEach(format -> rows.add(List.of(
                        format.name(), String.join(" ", format.suffixes()), Formats.use(format), format.title())));
        Table.print(session().out(), List.of("format", "files", "use", "what it is"), rows, "<<<<");
    }
}
