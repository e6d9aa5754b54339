package io.sheaf.lab.report;

import io.sheaf.lab.Manifest;
import io.sheaf.lab.experiment.ExperimentKind;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The report of a folder of results: tables, pictures, and the body of a page. */
public sealed interface LabReport permits StrategyReport, StudyReport {
    /** Reads the results of a folder; the manifest selects the form of the report. */
    static LabReport read(Path folder, ReportOptions options) {
        return Manifest.read(folder).containsKey(ExperimentKind.STUDY)
                ? StudyReport.read(folder)
                : StrategyReport.read(folder, options);
    }

    String title();

    /** The number of rows, the version and the command, in a line. */
    String origin();

    int failed();

    /** The tables as CSV, by file name. */
    Map<String, String> tables();

    /** The pictures as SVG, by file name. */
    Map<String, String> pictures();

    /** The numbers of runs to show in detail, the most important first; empty if runs have no details. */
    List<Long> examples();

    /** The body of a page with all tables and pictures. */
    String html();
}
