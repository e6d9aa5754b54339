package io.sheaf.app.setup;

import io.sheaf.app.cli.Choice;
import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.OptionText;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.run.BatchOptions;
import io.sheaf.app.run.Clusters;
import io.sheaf.runtime.doctor.Finding;
import io.sheaf.runtime.doctor.LocalDoctor;
import io.sheaf.runtime.spec.Placement;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code doctor}: checks of this machine and cluster. */
@Command(
        name = "doctor",
        description = "Check this machine and cluster for problems and suggest fixes.",
        footer = {
            "",
            "With a batch system (--on), a two-minute job checks a compute node: Java, ports, file system, clock.",
            "Exit status: 0 if no check fails, 1 otherwise.",
            "Example: sheaf doctor --on slurm --partition main"
        })
public final class DoctorCommand extends SheafCommand {
    private static final Fields<Finding> FINDINGS = new Fields<Finding>()
            .text("result", "grade", finding -> Choice.name(finding.grade()))
            .text("check", "what", Finding::subject)
            .text("found", "found", Finding::found)
            .field((out, finding) -> out.field("advice", finding.advice()));

    @Option(
            names = "--on",
            completionCandidates = Clusters.SystemNames.class,
            paramLabel = "SYSTEM",
            description =
                    "Batch system: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}); local is an embedded cluster on this machine.")
    String on = "local";

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            description =
                    "Maximum time to wait for the job on a compute node; 0s to skip it (default: ${DEFAULT-VALUE}).")
    String timeout = "3m";

    @Mixin
    BatchOptions batch = new BatchOptions();

    @Parameters(
            arity = "0..*",
            paramLabel = "-- OPTION",
            description = "Further options for sbatch, qsub or oarsub, after --.")
    List<String> passedOn = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        Placement where = Clusters.where(on, batch, passedOn, session());
        long millis = OptionText.millis("--wait", timeout);
        List<Finding> findings = new ArrayList<>(new LocalDoctor(session().folder()).findings());
        if (!where.equals(Placement.LOCAL)) {
            findings.addAll(Clusters.commands(where, session())
                    .findings(where.options(), session().folder(), millis));
        }
        boolean bad = findings.stream().anyMatch(finding -> finding.grade() == Finding.Grade.BAD);
        List<List<String>> rows = new ArrayList<>();
        for (Finding finding : findings) {
            rows.add(FINDINGS.cells(finding));
            if (!finding.advice().isEmpty()) {
                rows.add(List.of("", "", "→ " + finding.advice()));
            }
        }
        print(
                out -> FINDINGS.array(out.field("on", on).field("good", !bad), "findings", findings),
                out -> FINDINGS.tableOf(out, rows));
        return bad ? ExitStatus.FAILED : ExitStatus.DONE;
    }
}
