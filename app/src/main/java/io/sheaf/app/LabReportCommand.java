package io.sheaf.app;

import io.sheaf.app.lab.ReportPage;
import io.sheaf.lab.report.Report;
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
            description = "Columns of runs.csv that make the parts; by default all parameters that differ.")
    List<String> by = new ArrayList<>();

    @Override
    public Integer call() {
        Path at = LabRunCommand.path(folder);
        if (StudyReport.isStudy(at)) {
            return study(at);
        }
        Report report = Report.read(at, by);
        OutputFile.write(at.resolve("summary.csv").toString(), report::summary);
        Map<String, String> pictures = report.pictures();
        Path figures = at.resolve("figures");
        try {
            Files.createDirectories(figures);
        } catch (IOException e) {
            throw new InputException("cannot be made: " + OutputFile.reason(e)).in(figures.toString());
        }
        pictures.forEach((name, svg) -> OutputFile.write(figures.resolve(name).toString(), out -> out.write(svg)));
        String page = at.resolve("report.html").toString();
        OutputFile.write(page, out -> ReportPage.write(report, out));
        if (json) {
            try (JsonOut out = new JsonOut(session().out())) {
                out.object()
                        .field("page", page)
                        .field("figures", pictures.size())
                        .field("failed", report.failed())
                        .end();
            }
        } else {
            session().out().println(page + ", summary.csv and " + pictures.size() + " pictures in figures");
        }
        return ExitStatus.DONE;
    }

    private int study(Path at) {
        if (!by.isEmpty()) {
            throw new ParameterException(commandLine(), "--by: a study has its own parts");
        }
        StudyReport report = StudyReport.read(at);
        OutputFile.write(at.resolve("summary.csv").toString(), report::summary);
        String page = at.resolve("report.html").toString();
        OutputFile.write(page, out -> ReportPage.write(report, out));
        if (json) {
            try (JsonOut out = new JsonOut(session().out())) {
                out.object().field("page", page).end();
            }
        } else {
            session().out().println(page + " and summary.csv");
        }
        return ExitStatus.DONE;
    }
}
