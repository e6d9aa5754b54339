package io.sheaf.app.lab;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.OutputFile;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.UsageException;
import io.sheaf.lab.RunReplay;
import io.sheaf.lab.experiment.ReplayedRun;
import io.sheaf.lab.report.LabReport;
import io.sheaf.lab.report.ReportOptions;
import io.sheaf.lab.report.StudyReport;
import io.sheaf.text.InputException;
import java.io.IOException;
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
    int maxWorkflows = 400;

    @Override
    public Integer call() {
        Path at = ExperimentOptions.path(folder);
        LabReport report = LabReport.read(at, new ReportOptions(by, bestOf, runOf, paired, spread));
        UsageException.unless(!(report instanceof StudyReport) || by.isEmpty(), "--by cannot be used for a study");
        write(at, report.tables());
        Map<String, String> pictures = report.pictures();
        if (!pictures.isEmpty()) {
            write(at.resolve("figures"), pictures);
        }
        String page = at.resolve("report.html").toString();
        List<ReplayedRun> shown = maxWorkflows > 0 ? RunReplay.of(at, report.examples(), maxWorkflows) : List.of();
        OutputFile.write(page, new ReportPage(report, shown, RunReplay.command(at))::write);
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

    private static void write(Path folder, Map<String, String> files) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new InputException("cannot be created: " + OutputFile.reason(e)).in(folder.toString());
        }
        files.forEach((name, text) -> OutputFile.write(folder.resolve(name).toString(), out -> out.write(text)));
    }
}
