package io.sheaf.app.run;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.OptionText;
import io.sheaf.app.cli.OutputFile;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.crate.CrateTarget;
import io.sheaf.app.crate.RunCrate;
import io.sheaf.app.report.EnergyEstimate;
import io.sheaf.app.report.RunPage;
import io.sheaf.app.report.StatusReport;
import io.sheaf.app.report.TaskFigures;
import io.sheaf.app.report.TaskTables;
import io.sheaf.report.BackgroundLoad;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.recorded.RunStatus;
import io.sheaf.runtime.spec.Placement;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes a page about a run. */
@Command(
        name = "report",
        description = "Write an HTML report on a run: jobs and tasks over time, start-time estimates, decisions.",
        footer = {
            "",
            "For a run that has ended, it also writes record.json: the workflow with measured run times.",
            "Example: sheaf report sheaf-runs/montage-mini-20261115-120000 --html run.html"
        })
public final class ReportCommand extends SheafCommand {
    @Mixin
    RunChoice choice = new RunChoice();

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "The HTML file to write (default: report.html in the run's folder).")
    private @Nullable String html;

    @Option(
            names = "--crate",
            paramLabel = "PATH",
            description = "Write the provenance of an ended run as an RO-Crate instead: a new folder, or a .zip file.")
    private @Nullable String crate;

    @Option(
            names = "--crate-copy",
            paramLabel = "SIZE",
            description =
                    "Copy files up to this size into the crate (default: ${DEFAULT-VALUE}); refer to larger ones.")
    String maxCopied = "100M";

    @Option(
            names = "--licence",
            paramLabel = "LICENCE",
            description = "The licence of the crate: an SPDX identifier, e.g. CC-BY-4.0, or a URL.")
    String licence = "";

    private static final DateTimeFormatter STARTED =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss xxx", Locale.ROOT);

    @Override
    public Integer call() throws IOException {
        RecordedRun run = RecordedRun.open(choice.folder(session()));
        if (crate != null) {
            writeCrate(run, crate);
            return ExitStatus.DONE;
        }
        RunRecord record = run.record(run.now());
        Path page = html == null
                ? run.folder().resolve("report.html")
                : session().folder().resolve(html);
        List<TaskFigures> tasks = TaskFigures.of(run);
        RunStatus status = run.status(run.now());
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("state", status.state().word());
        facts.put("tasks", StatusReport.tasks(status));
        EnergyEstimate energy =
                EnergyEstimate.of(record, run.history().results(), session().configuration());
        if (energy != null) {
            facts.put("energy (estimate)", energy.text());
        }
        OutputFile.write(
                page.toString(),
                new RunPage(
                        record,
                        where(run),
                        BackgroundLoad.UNKNOWN,
                        facts,
                        origin(run),
                        TaskTables.failures(tasks),
                        TaskTables.resources(tasks))::write);
        Path measured = run.measured();
        print(
                out -> {
                    out.field("page", page.toString());
                    if (measured != null) {
                        out.field("record", measured.toString());
                    }
                },
                out -> {
                    out.println(Fields.line("page", page.toString()));
                    out.println(Fields.line(
                            "record", measured == null ? "written when the run has ended" : measured.toString()));
                });
        return ExitStatus.DONE;
    }

    private void writeCrate(RecordedRun run, String to) throws IOException {
        Path path = session().folder().resolve(to);
        RunCrate made = new RunCrate(run, licence, OptionText.bytes("--crate-copy", maxCopied));
        try (CrateTarget target = new CrateTarget(path, made.end())) {
            made.write(target);
        }
        print(
                out -> out.field("crate", path.toString())
                        .field("profile", RunCrate.PROFILE)
                        .field("filesCopied", made.copied())
                        .field("filesReferred", made.referred()),
                out -> {
                    out.println(Fields.line("crate", path.toString()));
                    out.println(Fields.line("profile", RunCrate.PROFILE));
                    out.println(Fields.line("files", made.copied() + " copied, " + made.referred() + " referred to"));
                });
    }

    /** When the run began, its command and version, as far as its folder has them. */
    private static List<String> origin(RecordedRun run) throws IOException {
        List<String> lines = new ArrayList<>();
        if (run.history().begunAt() > 0) {
            lines.add("Started "
                    + Instant.ofEpochMilli(run.history().begunAt())
                            .atZone(ZoneId.systemDefault())
                            .format(STARTED));
        }
        lines.addAll(run.origin());
        lines.add("Run folder: " + run.folder());
        return lines;
    }

    /** The cluster and its queue as text. */
    static String where(RecordedRun run) {
        Placement where = run.spec().where();
        if (!where.equals(Placement.LOCAL)) {
            return where.system() + (where.options().isEmpty() ? "" : " (" + String.join(" ", where.options()) + ")");
        }
        String background = run.spec().background();
        return "the embedded cluster of " + run.spec().nodes() + " nodes"
                + (background.isEmpty() ? "" : " with background jobs (" + background + ")");
    }
}
