package io.sheaf.app.setup;

import io.sheaf.app.cli.Choice;
import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.Table;
import io.sheaf.app.run.BatchOptions;
import io.sheaf.app.run.Clusters;
import io.sheaf.runtime.doctor.Finding;
import io.sheaf.runtime.doctor.LocalDoctor;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.text.TimeText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Looks whether runs will work here, and tells what to do if not. */
@Command(
        name = "doctor",
        description = "Looks whether runs will work here, and tells what to do if not.",
        footer = {
            "",
            "With --on slurm a job of one node and two minutes looks at a compute node: Java, ports, file system, clock.",
            "Exit status: 0 if nothing is bad, 1 if something is.",
            "Example: sheaf doctor --on slurm --partition main"
        })
public final class DoctorCommand extends SheafCommand {
    @Option(
            names = "--on",
            completionCandidates = Clusters.Names.class,
            paramLabel = "SYSTEM",
            defaultValue = "local",
            description = "Where, local being this machine: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
    String on = "local";

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "3m",
            description = "Slurm: how long to wait for the job on a compute node, 0s for no job (${DEFAULT-VALUE}).")
    String patience = "3m";

    @Mixin
    BatchOptions batch = new BatchOptions();

    @Parameters(arity = "0..*", paramLabel = "-- OPTION", description = "Slurm: further options of sbatch, behind --.")
    List<String> passedOn = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        String misuse = Clusters.misuse(on, batch, passedOn);
        if (misuse != null) {
            throw new ParameterException(commandLine(), misuse);
        }
        Placement where = Clusters.where(on, batch, passedOn);
        long millis = TimeText.millis(patience);
        List<Finding> findings = new ArrayList<>(new LocalDoctor(session().folder()).findings());
        if (!where.equals(Placement.LOCAL)) {
            findings.addAll(Clusters.commands(on, session())
                    .findings(where.options(), session().folder(), millis));
        }
        boolean bad = findings.stream().anyMatch(finding -> finding.grade() == Finding.Grade.BAD);
        if (json) {
            printJson(findings, bad);
        } else {
            print(findings);
        }
        return bad ? ExitStatus.FAILED : ExitStatus.DONE;
    }

    private void print(List<Finding> findings) {
        PrintWriter out = session().out();
        List<List<String>> rows = new ArrayList<>();
        for (Finding finding : findings) {
            rows.add(List.of(Choice.name(finding.grade()), finding.what(), finding.found()));
            if (!finding.advice().isEmpty()) {
                rows.add(List.of("", "", "→ " + finding.advice()));
            }
        }
        Table.print(out, List.of("", "what", "found"), rows, "<<<");
    }

    private void printJson(List<Finding> findings, boolean bad) {
        try (JsonOut out = new JsonOut(session().out())) {
            out.object().field("on", on).field("good", !bad).array("findings");
            for (Finding finding : findings) {
                out.object()
                        .field("grade", Choice.name(finding.grade()))
                        .field("what", finding.what())
                        .field("found", finding.found())
                        .field("advice", finding.advice())
                        .end();
            }
            out.end().end();
        }
    }
}
