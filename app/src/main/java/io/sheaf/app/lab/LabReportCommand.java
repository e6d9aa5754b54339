package io.sheaf.app.lab;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.OutputFile;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.lab.Replay;
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
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Makes a page, a table of statistics and pictures of an experiment that was run. */
@Command(
        name = "report",
        description = "Compares the strategies of an experiment: a page, a table of statistics, pictures.",
        footer = {
            "",
            "Writes report.html, summary.csv and figures/*.svg into DIR.",
            "Example: sheaf lab report out --by cluster,group"
        })
final class LabReportCommand extends SheafCommand {
    @Parameters(paramLabel = "DIR", description = "The folder of 'sheaf lab run'.")
    String folder = "";

    @Option(
            names = "--by",
            split = ",",
            paramLabel = "COLUMN",
            description =
                    "Columns of runs.csv that make the parts, also cut in two (width>128); by default as the experiment"
                            + " asks for, or all parameters that differ.")
    List<String> by = new ArrayList<>();

    @Option(
            names = "--best-of",
            paramLabel = "NAME",
            defaultValue = "",
            description =
                    "Which strategies count for the best, e.g. 'A*', or '!portfolio*' for all others; all by default.")
    String bestOf = "";

    @Option(
            names = "--run-of",
            paramLabel = "STRATEGY",
            defaultValue = "",
            description =
                    "A wait is what the makespan exceeds the running time of this strategy by; by default the time"
                            + " in which no job of the run ran.")
    String runOf = "";

    @Option(
            names = "--paired",
            paramLabel = "COLUMN",
            defaultValue = "",
            description = "Only runs that are there for every value of this column.")
    String paired = "";

    @Option(
            names = "--spread",
            paramLabel = "COLUMN",
            defaultValue = "",
            description = "Tells how much improvements depend on this column: median, least, greatest.")
    String spread = "";

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "400",
            description = "The most runs whose charts the page holds; they are run again for it (${DEFAULT-VALUE}).")
    int most = 400;

    @Override
    public Integer call() {
        Path at = LabRunCommand.path(folder);
        LabReport report = LabReport.read(at, new ReportOptions(by, bestOf, runOf, paired, spread));
        if (report instanceof StudyReport && !by.isEmpty()) {
            throw new ParameterException(commandLine(), "--by: a study has its own parts");
        }
        write(at, report.tables());
        Map<String, String> pictures = report.pictures();
        if (!pictures.isEmpty()) {
            write(at.resolve("figures"), pictures);
        }
        String page = at.resolve("report.html").toString();
        List<ReplayedRun> shown = most > 0 ? Replay.of(at, report.examples(), most) : List.of();
        OutputFile.write(page, new ReportPage(report, shown, Replay.command(at))::write);
        if (json) {
            try (JsonOut out = new JsonOut(session().out())) {
                out.object()
                        .field("page", page)
                        .field("figures", pictures.size())
                        .field("failed", report.failed())
                        .field("shown", shown.size())
                        .end();
            }
        } else {
            session()
                    .out()
                    .println(
                            pictures.isEmpty()
                                    ? page + " and summary.csv"
                                    : page + ", summary.csv and " + pictures.size() + " pictures in figures");
        }
        return ExitStatus.DONE;
    }

    private static void write(Path folder, Map<String, String> files) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new InputException("cannot be made: " + OutputFile.reason(e)).in(folder.toString());
        }
        files.forEach((name, text) -> OutputFile.write(folder.resolve(name).toString(), out -> out.write(text)));
    }
}
