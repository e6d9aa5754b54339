package io.sheaf.app.lab;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.OptionText;
import io.sheaf.app.cli.OutputFile;
import io.sheaf.app.cli.Progress;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.UsageException;
import io.sheaf.app.page.Page;
import io.sheaf.app.report.RunChart;
import io.sheaf.lab.RunReplay;
import io.sheaf.lab.experiment.ReplayedRun;
import io.sheaf.lab.report.LabReport;
import io.sheaf.lab.report.ReportOptions;
import io.sheaf.lab.report.StudyReport;
import io.sheaf.text.InputException;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a page, a table of statistics and figures of a finished experiment. */
@Command(
        name = "report",
        description = "Write a report on an experiment: an HTML page, a table of statistics, charts.",
        footer = {
            "",
            "Writes report.html, summary.csv and figures/*.svg into DIR.",
            "Example: sheaf lab report out --by cluster,group"
        })
final class LabReportCommand extends SheafCommand {
    @Parameters(paramLabel = "DIR", description = "Results folder of 'sheaf lab run'.")
    String folder = "";

    @Option(
            names = "--by",
            split = ",",
            paramLabel = "COLUMN",
            description =
                    "Group by these columns of runs.csv; a threshold splits a column in two (width>128). Default: as in the experiment file, or all parameters that vary.")
    List<String> by = new ArrayList<>();

    @Option(
            names = "--best-of",
            paramLabel = "NAME",
            description =
                    "Strategies among which the best is chosen, e.g. 'A*', or '!portfolio*' for all others (default: all).")
    String bestOf = "";

    @Option(
            names = "--run-of",
            paramLabel = "STRATEGY",
            description =
                    "Define the wait as the makespan minus the run time of this strategy. Default: the time during which no job of the run was running.")
    String runOf = "";

    @Option(
            names = "--paired",
            paramLabel = "COLUMN",
            description = "Only use runs that exist for every value of this column.")
    String paired = "";

    @Option(
            names = "--spread",
            paramLabel = "COLUMN",
            description = "Show the spread of improvements over this column: median, minimum, maximum.")
    String spread = "";

    @Option(
            names = "--runs",
            paramLabel = "N",
            description =
                    "Maximum number of runs with a chart on the page; they are simulated again (default: ${DEFAULT-VALUE}).")
    int maxRuns = 400;

    @Override
    public Integer call() {
        Path at = OptionText.path(folder);
        LabReport report = LabReport.read(at, new ReportOptions(by, bestOf, runOf, paired, spread));
        UsageException.unless(!(report instanceof StudyReport) || by.isEmpty(), "--by cannot be used for a study");
        write(at, report.tables());
        Map<String, String> pictures = report.pictures();
        if (!pictures.isEmpty()) {
            write(at.resolve("figures"), pictures);
        }
        String page = at.resolve("report.html").toString();
        List<ReplayedRun> shown = maxRuns > 0 ? runsWithCharts(at, report.examples()) : List.of();
        OutputFile.write(page, out -> write(report, shown, RunReplay.command(at), out));
        print(
                out -> out.field("page", page)
                        .field("figures", pictures.size())
                        .field("failed", report.failed())
                        .field("shown", shown.size()),
                out -> out.println(
                        pictures.isEmpty()
                                ? page + " and summary.csv"
                                : page + ", summary.csv and " + pictures.size() + " charts in figures/"));
        return ExitStatus.DONE;
    }

    private List<ReplayedRun> runsWithCharts(Path at, List<Long> numbers) {
        try (Progress progress = new Progress(session(), "simulating runs with charts")) {
            int all = Math.min(maxRuns, numbers.size());
            return RunReplay.of(at, numbers, maxRuns, done -> progress.at(done, all));
        }
    }

    private static void write(Path folder, Map<String, String> files) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new InputException("cannot be created: " + OutputFile.reason(e)).in(folder.toString());
        }
        files.forEach((name, text) -> OutputFile.write(folder.resolve(name).toString(), out -> out.write(text)));
    }

    /**
     * Writes the report as a self-contained page; a study's has no runs and no script.
     *
     * @param shown the runs whose charts the page contains
     * @param show the command that writes a page of any other run, with RUN for its number
     */
    private static void write(LabReport report, List<ReplayedRun> shown, String show, Writer out) throws IOException {
        boolean study = report instanceof StudyReport;
        Page page = Page.of(
                        LabReportCommand.class, study ? "study.html" : "report.html", report.title() + " · Sheaf lab")
                .text("title", report.title())
                .text("origin", report.origin())
                .html("body", report.html());
        String style = Page.resource(LabReportCommand.class, "report.css");
        if (study) {
            page.style(style).write(out);
            return;
        }
        StringWriter data = new StringWriter();
        RunChart runs = new RunChart(data);
        for (ReplayedRun run : shown) {
            runs.write(run.number(), run.name() + ", " + run.where(), run.record());
        }
        page.text(
                        "failed",
                        report.failed() == 0
                                ? "All runs completed."
                                : Rounded.count(report.failed())
                                        + " runs did not complete. They are excluded from means and count as losses.")
                .text("show", show)
                .text("included", "This page contains " + Rounded.count(shown.size()) + " of the runs.");
        RunChart.into(page, data.toString(), style, Page.resource(LabReportCommand.class, "report.js"))
                .write(out);
    }
}
