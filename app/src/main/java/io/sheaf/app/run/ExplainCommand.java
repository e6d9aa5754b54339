package io.sheaf.app.run;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.report.Explanation;
import io.sheaf.app.report.StatusReport;
import io.sheaf.app.simulate.Simulation;
import io.sheaf.app.simulate.SimulationOptions;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.recorded.RunStatus;
import io.sheaf.runtime.run.WorkflowRun;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code explain}: the decisions of a run. */
@Command(
        name = "explain",
        description = {
            "Explain each decision of a run: options, estimates, and what happened.",
            "Explains a real run, given its folder (default: the newest in ./sheaf-runs), or simulates a workflow like 'sheaf simulate' and explains that run."
        },
        footer = {
            "",
            "Times count from the submission of the workflow.",
            "Example: sheaf explain workflow.json --model kth-like --start 2d --strategy glume",
            "         sheaf explain sheaf-runs/montage-mini-20261115-120000"
        })
public final class ExplainCommand extends SheafCommand {
    @Mixin
    SimulationOptions options = new SimulationOptions();

    @Override
    public Integer call() throws IOException {
        RunChoice choice = new RunChoice();
        choice.run = options.file;
        Path folder = choice.folder(session());
        if (WorkflowRun.isRun(folder)) {
            RecordedRun run = RecordedRun.open(folder);
            RunRecord record = run.record(run.now());
            RunStatus status = run.status(0);
            Explanation explanation = new Explanation(record);
            print(
                    out -> {
                        explanation.fields(out);
                        StatusReport.avoided(out, status);
                    },
                    out -> {
                        out.println(record.workflow().name() + " with " + record.strategy() + " on "
                                + ReportCommand.where(run) + ": "
                                + status.state().word());
                        StatusReport.avoided(status).forEach(out::println);
                        explanation.print(out);
                    });
            return ExitStatus.DONE;
        }
        if (!Files.exists(session().folder().resolve(options.file))) {
            throw new InputException("no such run or workflow; 'sheaf status' shows the newest run").in(options.file);
        }
        Simulation simulation = options.run(commandLine(), session().err());
        Explanation explanation = new Explanation(simulation.record());
        Simulation.Use use = simulation.use();
        print(
                out -> {
                    explanation.fields(out);
                    if (use != null) {
                        use.fields(out);
                    }
                },
                out -> {
                    out.println(simulation.title());
                    if (use != null) {
                        out.println(use.text());
                    }
                    explanation.print(out);
                });
        return simulation.run().completed() ? ExitStatus.DONE : ExitStatus.FAILED;
    }
}
