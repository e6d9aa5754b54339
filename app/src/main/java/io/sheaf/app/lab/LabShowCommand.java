package io.sheaf.app.lab;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.OutputFile;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.report.RunPage;
import io.sheaf.lab.ExperimentPlan;
import io.sheaf.lab.Replay;
import io.sheaf.lab.experiment.RefusedException;
import io.sheaf.lab.experiment.ReplayedRun;
import io.sheaf.report.BackgroundLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows one run of an experiment. */
@Command(
        name = "show",
        description = "Runs one row of an experiment's table again, and makes a page of it.",
        footer = {"", "Example: sheaf lab show experiments/thesis-chapter7.yaml 42 --quick -o run.html"})
final class LabShowCommand extends SheafCommand {
    @Parameters(index = "0", paramLabel = "FILE", description = "The experiment.")
    String file = "";

    @Parameters(index = "1", paramLabel = "RUN", description = "The number of the run: the first column of runs.csv.")
    long run;

    @Option(names = "--quick", description = "Of the experiment's quick form.")
    boolean quick;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Where logs and workflows lie besides the experiment's folder; may be repeated.")
    List<String> data = new ArrayList<>();

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FILE",
            description = "Where to write the page.")
    String output = "";

    @Override
    public Integer call() {
        ReplayedRun shown;
        try {
            ExperimentPlan plan = ExperimentPlan.read(
                    LabRunCommand.path(file),
                    data.stream().map(LabRunCommand::path).toList(),
                    new ExperimentPlan.Selection(quick, 1, 1, 1));
            shown = Replay.of(plan, run);
        } catch (RefusedException e) {
            e.problems().forEach(problem -> session().err().println("sheaf: " + problem.getMessage()));
            return ExitStatus.BAD_INPUT;
        }
        RunPage page = new RunPage(shown.record(), shown.where(), BackgroundLoad.UNKNOWN, Map.of());
        OutputFile.write(output, page::write);
        if (json) {
            try (JsonOut out = new JsonOut(session().out())) {
                out.object().field("run", run).field("page", output).end();
            }
        } else {
            session()
                    .out()
                    .println("run " + run + ": " + shown.name() + ", makespan " + shown.makespanSeconds() + " s; "
                            + output);
        }
        return ExitStatus.DONE;
    }
}
