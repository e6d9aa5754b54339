package io.sheaf.app.workflow;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.ReadOptions;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.Table;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Workflow;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tells what a workflow file holds. */
@Command(
        name = "inspect",
        description = "Tells what a workflow holds: its size, shape, work and categories.",
        footer = {"", "Example: sheaf inspect workflow.json --svg workflow.svg"})
public final class InspectCommand extends SheafCommand {
    private static final int MOST_CATEGORIES = 20;

    @Parameters(paramLabel = "FILE", description = "The workflow; '-' for standard input.")
    String file = "";

    @Mixin
    ReadOptions reading = new ReadOptions();

    @Option(names = "--svg", paramLabel = "OUT", description = "Also draw it: levels as rows, colour by category.")
    @Nullable
    String svg;

    @Override
    public Integer call() {
        Workflow workflow = reading.read(file);
        WorkflowFigures figures = WorkflowFigures.of(workflow);
        if (svg != null) {
            WorkflowFiles.write(workflow, svg, "svg");
        }
        if (json) {
            figures.print(session().out());
        } else {
            session().out().println(file + ": " + workflow.name());
            print(figures, workflow, session().out());
        }
        return ExitStatus.DONE;
    }

    private static void print(WorkflowFigures figures, Workflow workflow, PrintWriter out) {
        out.println();
        List<List<String>> facts = new ArrayList<>();
        facts.add(List.of("tasks", count(figures.tasks())));
        facts.add(List.of("edges", count(figures.edges())));
        facts.add(List.of("levels", count(figures.levels())));
        facts.add(List.of("widest level", count(figures.maxWidth())));
        facts.add(List.of("work", time(figures.totalMicros())));
        facts.add(List.of("critical path", time(figures.criticalPathMicros())));
        facts.add(List.of("files", files(figures)));
        if (figures.tasksWithoutTime() > 0) {
            facts.add(List.of("run time not told", count(figures.tasksWithoutTime()) + " tasks"));
        }
        facts.forEach(fact -> out.println(String.format(Locale.ROOT, "%-18s", fact.get(0)) + fact.get(1)));
        out.println();
        printCategories(figures, out);
        out.println();
        LevelHistogram.print(workflow, out);
    }

    private static void printCategories(WorkflowFigures figures, PrintWriter out) {
        List<List<String>> rows = new ArrayList<>();
        List<WorkflowFigures.CategoryFigures> all = figures.categories();
        for (WorkflowFigures.CategoryFigures category : all.subList(0, Math.min(all.size(), MOST_CATEGORIES))) {
            rows.add(List.of(
                    category.name().isEmpty() ? "(none)" : category.name(),
                    count(category.tasks()),
                    time(category.micros()),
                    time(category.micros() / category.tasks())));
        }
        Table.print(out, List.of("category", "tasks", "work", "mean"), rows, "<>>>");
        if (all.size() > MOST_CATEGORIES) {
            out.println("… and " + (all.size() - MOST_CATEGORIES) + " more");
        }
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** To three digits or so: 100 h, 15.7 min, 4.2 s. */
    private static String time(long micros) {
        if (micros >= 100 * TimeText.HOUR) {
            return String.format(Locale.ROOT, "%,.0f h", micros / (double) TimeText.HOUR);
        }
        if (micros >= TimeText.HOUR) {
            return String.format(Locale.ROOT, "%.1f h", micros / (double) TimeText.HOUR);
        }
        if (micros >= TimeText.MINUTE) {
            return String.format(Locale.ROOT, "%.1f min", micros / (double) TimeText.MINUTE);
        }
        return String.format(Locale.ROOT, "%.1f s", micros / (double) TimeText.SECOND);
    }

    private static String files(WorkflowFigures figures) {
        String files = count(figures.files());
        if (figures.filesWithoutSize() == 0) {
            return files + ", " + bytes(figures.bytes());
        }
        return figures.filesWithoutSize() == figures.files()
                ? files + ", sizes not told"
                : files + ", " + bytes(figures.bytes()) + " and " + count(figures.filesWithoutSize())
                        + " of a size not told";
    }

    private static String bytes(long bytes) {
        String[] units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
        double amount = bytes;
        int unit = 0;
        while (amount >= 1024 && unit < units.length - 1) {
            amount /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", amount, units[unit]);
    }
}
