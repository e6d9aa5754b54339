package io.sheaf.app.workflow;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.ReadOptions;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.workflow.Workflow;
import java.io.PrintWriter;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
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
    private static final int MAX_LINES = 30;
    private static final int BAR = 40;
    private static final int MAX_NAMES = 3;
    private static final int LONGEST_NAMES = 50;

    @Parameters(paramLabel = "FILE", description = "The workflow file; '-' for standard input.")
    String file = "";

    @Mixin
    ReadOptions reading = new ReadOptions();

    @Option(
            names = "--svg",
            paramLabel = "OUT",
            description = "Also write an SVG drawing: levels as rows, colour by category.")
    private @Nullable String svg;

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
            printLevels(workflow, out);
        });
        return ExitStatus.DONE;
    }

    /** Draws the width of each level, one line per level; deep workflows combine several levels in a line. */
    private static void printLevels(Workflow workflow, PrintWriter out) {
        int levels = workflow.levels();
        if (levels == 0) {
            return;
        }
        int perLine = (levels + MAX_LINES - 1) / MAX_LINES;
        int widest = workflow.maxWidth();
        out.println("level      width");
        for (int first = 0; first < levels; first += perLine) {
            int last = Math.min(first + perLine, levels) - 1;
            int width = 0;
            for (int level = first; level <= last; level++) {
                width = Math.max(width, workflow.width(level));
            }
            String label = first == last ? Integer.toString(first) : first + "-" + last;
            int length = Math.max(1, Math.round(BAR * (float) width / widest));
            String bar = "█".repeat(length) + " ".repeat(BAR - length);
            String text =
                    String.format(Locale.ROOT, "%-8s%8d  ", label, width) + bar + "  " + names(workflow, first, last);
            out.println(Fields.plain(text.stripTrailing()));
        }
    }

    private static String names(Workflow workflow, int first, int last) {
        Set<String> names = new LinkedHashSet<>();
        for (int level = first; level <= last && names.size() <= MAX_NAMES; level++) {
            for (int i = 0; i < workflow.width(level) && names.size() <= MAX_NAMES; i++) {
                names.add(workflow.category(workflow.taskOfLevel(level, i)).name());
            }
        }
        names.remove("");
        String joined = String.join(", ", names.stream().limit(MAX_NAMES).toList());
        boolean more = names.size() > MAX_NAMES || joined.length() > LONGEST_NAMES;
        String shown = joined.substring(0, Math.min(joined.length(), LONGEST_NAMES));
        return more ? shown + " …" : shown;
    }
}
