package io.sheaf.app.workflow;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.ReadOptions;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.workflow.Workflow;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code inspect}. */
@Command(
        name = "inspect",
        description = "Show the size, shape, work and categories of a workflow.",
        footer = {"", "Example: sheaf inspect workflow.json --svg workflow.svg"})
public final class InspectCommand extends SheafCommand {
    @Parameters(paramLabel = "FILE", description = "The workflow file; '-' for standard input.")
    String file = "";

    @Mixin
    ReadOptions reading = new ReadOptions();

    @Option(
            names = "--svg",
            paramLabel = "OUT",
            description = "Also write an SVG drawing: levels as rows, colour by category.")
    @Nullable
    String svg;

    @Override
    public Integer call() {
        Workflow workflow = reading.read(file);
        WorkflowFigures figures = WorkflowFigures.of(workflow);
        if (svg != null) {
            WorkflowFiles.write(workflow, svg, "svg");
        }
        print(figures::fields, out -> {
            out.println(Fields.plain(file + ": " + workflow.name()));
            out.println();
            figures.print(out);
            out.println();
            LevelHistogram.print(workflow, out);
        });
        return ExitStatus.DONE;
    }
}
